import { readFile, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../src/lib/app-error.ts";
import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { parseSessionId, type SessionId } from "../../src/sessions/ids.ts";
import { inspectStore } from "../../src/storage/maintenance.ts";
import { locateStore, openStore, type Store } from "../../src/storage/open-store.ts";
import { fillStore } from "./store-files.ts";

/**
 * What a turned bit led to.
 *
 * `verify` names an entry; or the store or a session is refused with a reason; or only `doctor` finds something, in an
 * index; or the sessions are described in other words (titles, folders and times are not part of the chain); or nothing
 * is different, because the bit was in free space or in something derived.
 */
export type Outcome = "entry named" | "refused" | "found by doctor" | "described otherwise" | "no effect";

export interface FlippingStore {
  /** How many bits of the file are in bytes that are not 0: in the others there is mostly nothing. */
  readonly bits: number;
  /** Turns one of them, looks at the store in every way, and puts the bit back. Throws when content changed unnoticed. */
  flip(bit: number): Promise<Outcome>;
}

const ids = ["one", "two"].map(parseSessionId);

/** Makes a store whose bits can be turned one at a time. */
export async function makeFlippingStore(home: string): Promise<FlippingStore> {
  await fillStore(home);
  const whole = await readFile(locateStore(home));
  const used = [...whole.keys()].filter((at) => whole[at] !== 0);
  const before = await withStore(home, look);
  return {
    bits: used.length * 8,
    flip: async (bit) => {
      const bytes = Buffer.from(whole);
      const at = used[bit >> 3] ?? 0;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
      await writeFile(locateStore(home), bytes);
      return unlessRefused(() => withStore(home, (store) => compare(store, home, before)));
    },
  };
}

/** Returns "refused" for an error that says what is wrong; any other is a fault of ours. */
async function unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | "refused"> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return "refused";
    throw error;
  }
}

async function compare(store: Store, home: string, before: View): Promise<Outcome> {
  const outcomes = await Promise.all(
    ids.map((id, index) => compareSession(store, id, before.entries[index] ?? [])),
  );
  const known = (["entry named", "refused"] as const).find((outcome) => outcomes.includes(outcome));
  if (known !== undefined) return known;
  if ((await inspectStore(home)).problems.length > 0) return "found by doctor";
  return isDeepStrictEqual((await look(store)).sessions, before.sessions)
    ? "no effect"
    : "described otherwise";
}

/** Looks at one session: what comes before the entry that `verify` names can be read and is as it was. */
async function compareSession(
  { log }: Store,
  id: SessionId,
  before: readonly Said[],
): Promise<"entry named" | "refused" | "whole"> {
  const verification = await unlessRefused(() => log.verify(id));
  if (verification === "refused") return "refused";
  const { problem } = verification;
  const sound = problem === null ? before.length : Math.max(0, problem.seq - 1);
  const entries = await readSome(log, id);
  const isAsBefore = isDeepStrictEqual(entries.slice(0, sound), before.slice(0, sound));
  if (!isAsBefore || (problem === null && entries.length !== before.length))
    throw new Error(`Session ${id} has changed, and verify says ${JSON.stringify(problem)}.`);
  return problem === null ? "whole" : "entry named";
}

/** What an entry says: all but the name of the session that it was written to, which stands elsewhere. */
type Said = Omit<Entry, "session">;

/** Reads a session up to the first entry that cannot be read. */
async function readSome(log: ConversationLog, id: SessionId): Promise<readonly Said[]> {
  const entries: Said[] = [];
  await unlessRefused(async () => {
    for await (const { session: _, ...said } of log.read(id)) entries.push(said);
  });
  return entries;
}

interface View {
  readonly entries: readonly (readonly Said[])[];
  readonly sessions: unknown;
}

async function look({ log }: Store): Promise<View> {
  return {
    entries: await Promise.all(ids.map((id) => readSome(log, id))),
    sessions: await log.list(),
  };
}

async function withStore<Result>(home: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(home);
  return work(store).finally(() => store[Symbol.asyncDispose]());
}

/** Counts how often each outcome was met. */
export function countOutcomes(outcomes: readonly Outcome[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(outcomes, (outcome) => outcome);
  return Object.fromEntries([...groups].map(([outcome, each]) => [outcome, each.length]));
}
