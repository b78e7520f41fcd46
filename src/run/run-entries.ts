import type { Clock } from "../lib/clock.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import {
  type Entry,
  type EntryContent,
  type JsonObject,
  messageText,
  type NewEntry,
  runEvents,
} from "../sessions/entry.ts";
import { makeEntryId, type SessionId, type Strand } from "../sessions/ids.ts";
import { mergedEvent } from "../sessions/make-merge-block.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import { nextMoment } from "../sessions/session-events.ts";
import type { SessionTarget } from "../sessions/session-writer.ts";
import { runNotes } from "./prompts.ts";
import { parseReply } from "./ruling.ts";
import { type RunConfig, type RunLimits, renderConfig, renderLimits } from "./run-config.ts";
import type { Working } from "./run-phase.ts";
import { emptyRun, followRun, instructorStrand, type RunState, workerStrand } from "./run-state.ts";

/** An entry that has yet to get its id and time. */
export type Draft = EntryContent & { readonly strand: Strand };

const event = (strand: Strand, name: string, data: JsonObject): Draft => ({
  ...{ kind: "event", strand, event: name, data },
});

export const userText = (strand: Strand, text: string): Draft => ({
  ...{ kind: "message", strand, role: "user", parts: [{ type: "text", text }] },
});

const result = (strand: Strand, call: string, output: string, failed: boolean): Draft => ({
  ...{ kind: "message", strand, role: "tool" },
  parts: [{ type: "tool-result", call, output, ...(failed ? { failed: true } : {}) }],
});

/** What the user wants. */
export interface RunOrder {
  readonly task: string;
  /** What is said to the instructor besides. */
  readonly further?: readonly string[] | undefined;
  /** The run that this one does over. */
  readonly replays?: SessionId | undefined;
}

/** The beginning of a run: what it goes by, and its task. */
export function started(
  config: RunConfig,
  systemPrompt: string,
  { task, further = [], replays }: RunOrder,
): readonly Draft[] {
  const origin = replays === undefined ? {} : { replays: { session: replays } };
  return [
    event(instructorStrand, runEvents.started, { config: renderConfig(config), systemPrompt, ...origin }),
    ...[task, ...further].map((text) => userText(instructorStrand, text)),
  ];
}

/** What a resume changes: the models and the folder as they are now, limits that are granted, what the user adds. */
export interface Resumption {
  readonly config: RunConfig;
  /** The instructor's prompt, where it names another folder now. */
  readonly systemPrompt?: string | undefined;
  /** The limits that are granted anew; the others count on. */
  readonly grant: Partial<RunLimits> | undefined;
  readonly more: string | undefined;
  /** The ruling that the instructor gets back with what the user adds: the worker has not begun with it. */
  readonly withdrawn?: string | undefined;
}

export function resumed(resumption: Resumption): readonly Draft[] {
  const { config, systemPrompt, grant, more, withdrawn } = resumption;
  // What the run was first given as its limit stays: it is granted again when it is used up.
  const { maxRounds, maxTokens, maxSeconds, maxCost, ...rest } = renderConfig(config);
  const granted = grant === undefined ? {} : { grant: renderLimits(grant) };
  const prompt = systemPrompt === undefined ? {} : { systemPrompt };
  return [
    event(instructorStrand, runEvents.resumed, { config: rest, ...prompt, ...granted }),
    ...(withdrawn === undefined ? [] : [result(instructorStrand, withdrawn, runNotes.withdrawn, true)]),
    ...(more === undefined ? [] : [userText(instructorStrand, more)]),
  ];
}

/** What is said to an instructor whose last reply was of no use, or who has nothing to answer. */
export function prompted(call: string | undefined, text: string): readonly Draft[] {
  return [call === undefined ? userText(instructorStrand, text) : result(instructorStrand, call, text, true)];
}

/** The answer to a ruling that ends the run, so that the talk can go on from there. */
export function closed(call: string): Draft {
  return result(instructorStrand, call, runNotes.ended, false);
}

export function callStarted(call: string): Draft {
  return event(workerStrand, runEvents.callStarted, { call });
}

export function callEnded(call: string, { output, failed }: { output: string; failed: boolean }): Draft {
  return result(workerStrand, call, output, failed);
}

/** That the process which drives the run stops here, and why. */
export function stopped(status: "ended" | "interrupted", reason: string): Draft {
  return event(instructorStrand, status, { reason });
}

/** What is known of a round at its end, beside what was said. */
export interface RoundFacts {
  readonly workerModel: string;
  /** The files after it, or why they are not kept. */
  readonly files: JsonObject;
  /** The dollars that the run has cost so far, where that is known. */
  readonly cost: number | undefined;
}

/** The end of a round: the report is the answer to the instructor's call. Both are stored, or none. */
export function roundEnded(
  number: number,
  { call, ruling, thinking }: Working,
  report: string,
  { workerModel, files, cost }: RoundFacts,
): readonly Draft[] {
  const { instruction, shouldContinue, needsCorrection } = ruling;
  const data = {
    ...{ instruction, thinking, workerModel, shouldContinue, needsCorrection, files },
    ...(cost === undefined ? {} : { cost }),
  };
  return [
    result(instructorStrand, call, report, false),
    { kind: "round", strand: instructorStrand, number, data },
  ];
}

/** What is known of a run: where it stands, and what was said on its strands. It changes only by what is on disk. */
export class RunRecord {
  readonly #target: SessionTarget;
  readonly #time: { readonly clock: Clock; readonly random: RandomSource };
  readonly #strands: ReadonlyMap<Strand, Entry[]>;
  /** Everything that is on disk, in order. */
  readonly #entries: Entry[] = [];
  /** What a merge is bringing from another run. */
  readonly #brought: Entry[] = [];
  #state: RunState = emptyRun;
  #last: Date;

  constructor(target: SessionTarget, time: { readonly clock: Clock; readonly random: RandomSource }) {
    this.#target = target;
    this.#time = time;
    this.#last = target.since;
    this.#strands = new Map([
      [instructorStrand, []],
      [workerStrand, []],
    ]);
  }

  get state(): RunState {
    return this.#state;
  }

  /** Everything that is on disk, in order. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Returns what was said on a strand, in order. */
  strand(strand: Strand): readonly Entry[] {
    return this.#strands.get(strand) ?? [];
  }

  /** Takes an entry that the log has. */
  take(entry: Entry): void {
    this.#entries.push(entry);
    this.#state = followRun(this.#state, entry);
    if (isMergedId(entry.id)) this.#brought.push(entry);
    else if (entry.kind === "message") this.#strands.get(entry.strand)?.push(entry);
    else if (entry.kind === "event" && entry.event === mergedEvent) this.#tellBrought(entry);
    if (entry.at > this.#last) this.#last = entry.at;
  }

  #tellBrought({ id, session, seq, parent, at }: Entry): void {
    const text = describeMerged(this.#brought.splice(0));
    this.#strands.get(instructorStrand)?.push({
      ...{ id, session, seq, parent, at, strand: instructorStrand },
      ...{ kind: "message", role: "user", parts: [{ type: "text", text }] },
    });
  }

  /** Appends entries, all or none, and returns after they are on disk. */
  async append(drafts: readonly Draft[]): Promise<void> {
    const entries = drafts.map((draft): NewEntry => {
      const now = this.#time.clock.now();
      // Of two events the later one counts, also under a clock that was set back.
      this.#last = nextMoment(now, this.#last);
      return { ...draft, id: makeEntryId(now, this.#time.random), at: this.#last };
    });
    const receipts = await this.#target.append(entries);
    entries.forEach((entry, index) => {
      this.take(this.#toRecorded(entry, receipts[index]?.seq ?? 0));
    });
  }

  #toRecorded(entry: NewEntry, seq: number): Entry {
    const { strand = instructorStrand, parent = null, ...rest } = entry;
    return { ...rest, session: this.#target.session, seq, parent, strand };
  }
}

/** How long what is told of a round, and all of it, may be. */
const [longest, most] = [600, 20_000];

/**
 * Returns what an instructor is told of a run that was merged into its own: the task, the rounds with their reports, the end.
 *
 * The talk itself is in the log; put into the middle of another one it would read as if this run had said it.
 */
function describeMerged(entries: readonly Entry[]): string {
  const lines = entries.flatMap(describeEntry).map(cut);
  return `${runNotes.merged}\n\n${lines.join("\n")}`.slice(0, most).toWellFormed();
}

function describeEntry(entry: Entry): readonly string[] {
  if (entry.kind === "round") return [`Round ${entry.number} ends.`];
  if (entry.kind !== "message" || entry.strand !== instructorStrand || entry.interrupted === true) return [];
  switch (entry.role) {
    case "user":
      return [`The user: ${messageText(entry)}`];
    case "assistant": {
      const reply = parseReply(entry);
      if (reply.type === "unclear") return [];
      const { instruction, summary } = reply.ruling;
      return [summary === "" ? `Instruction: ${instruction}` : `The end: ${summary}`];
    }
    case "tool":
      return entry.parts.flatMap((part) =>
        part.type === "tool-result" && part.output !== runNotes.ended ? [`Report: ${part.output}`] : [],
      );
  }
}

function cut(line: string): string {
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
}
