import { createHash } from "node:crypto";
import type { Json, ToolCallPart, ToolResultPart } from "../sessions/entry.ts";

/** By what one knows that something has come up before: a call with its result, or a report. */
export type Print = string;

/** Whether the rounds of a run still change or find out anything. */
export interface Progress {
  readonly seen: ReadonlySet<Print>;
  /** The files after the last round, where they are kept. */
  readonly tree: string | undefined;
  readonly instruction: string;
  /** Rounds in a row that changed nothing and found out nothing new. */
  readonly idle: number;
  /** Rounds in a row with one and the same instruction that changed nothing. */
  readonly repeated: number;
}

export const noProgress: Progress = {
  seen: new Set(),
  tree: undefined,
  instruction: "",
  idle: 0,
  repeated: 0,
};

/** What a round has come to. */
export interface RoundWork {
  readonly instruction: string;
  /** The files after it; undefined where they are not kept. */
  readonly tree: string | undefined;
  readonly prints: readonly Print[];
}

/** Rounds without anything new, and rounds with the same instruction, after which a run is stopped. */
const [mostIdle, mostRepeated] = [3, 4];

/** How often a worker may make the same call with the same result in a row. */
export const mostSameCalls = 5;

export function printCall({ name, input }: ToolCallPart, { output, failed }: ToolResultPart): Print {
  return print(["call", name, input, output, failed === true]);
}

export function printReport(report: string): Print {
  return print(["report", report.trim()]);
}

function print(value: Json): Print {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

/**
 * Adds a round.
 *
 * Where the files are not kept, only what was found out tells: the same instruction may well have changed something else.
 */
export function addRound(before: Progress, { instruction, tree, prints }: RoundWork): Progress {
  const said = instruction.trim().replace(/\s+/g, " ").toLowerCase();
  const hasChanged = tree !== before.tree;
  const isNew = prints.some((each) => !before.seen.has(each));
  const isRepeated = tree !== undefined && !hasChanged && said === before.instruction;
  return {
    seen: new Set([...before.seen, ...prints]),
    tree,
    instruction: said,
    idle: hasChanged || isNew ? 0 : before.idle + 1,
    repeated: isRepeated ? before.repeated + 1 : 1,
  };
}

/** Tells whether a run goes in circles. */
export function isStalled({ idle, repeated }: Progress): boolean {
  return idle >= mostIdle || repeated >= mostRepeated;
}

/** Counts how often the last thing has come up in a row. */
export function countLastPrints(prints: readonly Print[]): number {
  const last = prints.at(-1);
  const before = prints.findLastIndex((each) => each !== last);
  return prints.length - 1 - before;
}
