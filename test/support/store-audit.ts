import { parseSessionId } from "../../src/sessions/ids.ts";
import { inspectStore } from "../../src/storage/maintenance.ts";
import type { Store } from "../../src/storage/open-store.ts";
import { collect } from "./entries.ts";
import { awaitQuiet } from "./postgres-database.ts";
import { isPostgres, openAddress } from "./store-address.ts";
import type { Written } from "./store-writers.ts";

/** What may be wrong with a store, by what it does to its owner. */
const kinds = ["lost", "duplicates", "orderErrors", "neverWritten", "brokenChains", "damage"] as const;

/** How often each of the things that may be wrong was found. */
export type Counts = Record<(typeof kinds)[number], number>;

export interface Problem {
  readonly kind: keyof Counts;
  readonly what: string;
}

/** Compares a store with what its writers were told is on disk: everything is there once, in order, with valid chains. */
export async function findProblems(
  address: string,
  writers: readonly Written[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  if (isPostgres(address)) await awaitQuiet(address);
  else {
    const found = (await inspectStore(address)).problems;
    problems.push(...found.map((what) => ({ kind: "damage" as const, what: JSON.stringify(what) })));
  }
  await using store = await openAddress(address);
  for (const session of new Set(writers.map((writer) => writer.session))) {
    const own = writers.filter((writer) => writer.session === session);
    problems.push(...(await findInSession(store, session, own)));
  }
  return problems;
}

/** Counts problems by their kind; a kind that was not found is zero. */
export function countProblems(problems: readonly Problem[]): Counts {
  const counts = kinds.map((kind) => [kind, problems.filter((problem) => problem.kind === kind).length]);
  return Object.fromEntries(counts) as Counts;
}

async function findInSession(
  store: Store,
  session: string,
  writers: readonly Written[],
): Promise<readonly Problem[]> {
  const id = parseSessionId(session);
  const stored = (await collect(store.log.read(id))).map((entry) => `${entry.seq} ${entry.id}`);
  const ids = stored.map(idOf);
  const firsts = new Map(ids.map((each, index) => [each, index] as const).toReversed());
  const { entries, problem } = await store.log.verify(id);
  const isWhole = problem === null && entries === stored.length;
  return [
    ...stored.flatMap((line, index) => problemIf(!line.startsWith(`${index + 1} `), "orderErrors", line)),
    ...ids.flatMap((each, index) => problemIf(firsts.get(each) !== index, "duplicates", each)),
    ...problemIf(!isWhole, "brokenChains", `${session}: ${JSON.stringify({ entries, problem })}`),
    ...writers.flatMap((writer) => findOfWriter(writer, stored)),
  ];
}

function findOfWriter({ receipts, prefix }: Written, stored: readonly string[]): readonly Problem[] {
  const own = stored.filter((line) => idOf(line).startsWith(prefix));
  const there = new Set(own);
  const acknowledged = new Set(receipts);
  const numbers = own.map((line) => Number(idOf(line).slice(prefix.length)));
  // The one that was being written when its writer died may be there or not.
  const unasked = own.filter((line) => !acknowledged.has(line)).slice(1);
  return [
    ...receipts.flatMap((line) => problemIf(!there.has(line), "lost", line)),
    ...unasked.map((line) => ({ kind: "neverWritten" as const, what: line })),
    ...numbers.flatMap((number, index) =>
      problemIf(number !== index + 1, "orderErrors", `${prefix}${number}`),
    ),
  ];
}

function problemIf(isProblem: boolean, kind: keyof Counts, what: string): readonly Problem[] {
  return isProblem ? [{ kind, what }] : [];
}

function idOf(line: string): string {
  return line.slice(line.indexOf(" ") + 1);
}
