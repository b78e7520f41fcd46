import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { KeptDigest } from "../sessions/digest-store.ts";
import type { Entry } from "../sessions/entry.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import type { Store } from "../storage/open-store.ts";
import { EntryIsDamaged, EntryIsMissing, SessionIsDamaged } from "../storage/store-errors.ts";
import { type Digest, digestVersion, startDigest } from "./digest.ts";
import { followEntries } from "./follow-entries.ts";

/** How a digest is made from the entries of a session. A state is plain JSON. */
export interface DigestFold<State> {
  /** Grows when the same entries come to another state: older digests are then made anew. */
  readonly version: number;
  /** Returns the state before the first entry. It is kept, so it must depend only on what never changes in a session. */
  readonly start: (session: Session) => State;
  /** Returns the state after further entries. Pure: how the entries are divided into calls does not matter. */
  readonly follow: (state: State, entries: readonly Entry[]) => State;
}

/** A state and the last entry that it covers. */
interface Covered<State> {
  readonly state: State;
  readonly seq: number;
}

/** How many entries are in memory at once. */
const batchSize = 500;

/** After so many entries the digests so far are kept, so that little is lost when the process is killed. */
const keepAfter = 10_000;

/** How much is done for digests at once. */
export interface DigestLimit {
  /** After so many entries no other session is brought up to date; without a limit all are. */
  readonly mostEntries?: number | undefined;
}

/** Returns the digests of some sessions; others may be among them. */
export type ReadDigests = (sessions: readonly Session[]) => Promise<ReadonlyMap<SessionId, Digest>>;

const fold: DigestFold<Digest> = {
  version: digestVersion,
  start: ({ cwd, client }) => startDigest(cwd, client),
  follow: (digest, entries) => followEntries(digest, entries),
};

/** Returns the digests of some sessions, up to date. */
export function readSessionDigests(
  { store }: { readonly store: Pick<Store, "log" | "digests"> },
  sessions: readonly Session[],
  limit: DigestLimit = {},
): Promise<ReadonlyMap<SessionId, Digest>> {
  return readDigests(store, sessions, fold, limit);
}

/** Returns what reads the digests of sessions, and each of them once as long as nothing is added to its session. */
export function openDigests(store: Pick<Store, "log" | "digests">, limit: DigestLimit = {}): ReadDigests {
  const known = new Map<SessionId, Digest>();
  return async (sessions) => {
    const unknown = sessions.filter(({ id, entries }) => known.get(id)?.seq !== entries);
    for (const [id, digest] of await readSessionDigests({ store }, unknown, limit)) known.set(id, digest);
    return known;
  };
}

/**
 * Brings the digests of some sessions up to date and returns them: reads only the entries after the kept ones.
 *
 * A session that is deleted meanwhile is left out. The digest of a damaged one covers the entries before the damage.
 * With a limit the first sessions come first: the others are given as they are kept, or left out.
 */
export async function readDigests<State>(
  store: Pick<Store, "log" | "digests">,
  sessions: readonly Session[],
  fold: DigestFold<State>,
  { mostEntries = Number.POSITIVE_INFINITY }: DigestLimit = {},
): Promise<ReadonlyMap<SessionId, State>> {
  const { digests, asOf } = await store.digests.read(sessions.map(({ id }) => id));
  const kept = new Map(digests.map((digest) => [digest.session, digest]));
  const keeper = makeKeeper<State>((due) => store.digests.keep(due, asOf), fold.version);
  const states = new Map<SessionId, State>();
  let left = mostEntries;
  for (const session of sessions) {
    const before = parse<State>(kept.get(session.id), fold.version);
    const last = before ?? { state: fold.start(session), seq: 0 };
    const isDue = last.seq < session.entries && left > 0;
    const known = session.entries === 0 ? last : before;
    const state = isDue ? await goOn(store.log, session.id, { last, fold, keeper }) : known?.state;
    if (isDue) left -= session.entries - last.seq;
    if (state !== undefined) states.set(session.id, state);
  }
  await keeper.flush();
  return states;
}

interface Work<State> {
  readonly last: Covered<State>;
  readonly fold: DigestFold<State>;
  readonly keeper: Keeper<State>;
}

/** Folds the entries after those that a state covers; undefined when the session is deleted. */
async function goOn<State>(
  log: ConversationLog,
  session: SessionId,
  { last, fold, keeper }: Work<State>,
): Promise<State | undefined> {
  let { state, seq } = last;
  try {
    for await (const batch of readBatches(log, session, seq + 1)) {
      state = fold.follow(state, batch);
      seq = batch.at(-1)?.seq ?? seq;
      await keeper.add(session, { state, seq }, batch.length);
    }
    return state;
  } catch (error) {
    if (error instanceof SessionNotFound) return undefined;
    throw error;
  }
}

/** Reads the entries of a session from one on, up to the first that is damaged. */
async function* readBatches(
  log: ConversationLog,
  session: SessionId,
  from: number,
): AsyncGenerator<readonly Entry[]> {
  let batch: Entry[] = [];
  try {
    for await (const entry of log.read(session, { from })) {
      batch.push(entry);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    // `carryon verify` and `carryon doctor` report it.
    if (!isDamage(error)) throw error;
  }
  if (batch.length > 0) yield batch;
}

function isDamage(error: unknown): boolean {
  return (
    error instanceof EntryIsMissing || error instanceof EntryIsDamaged || error instanceof SessionIsDamaged
  );
}

interface Keeper<State> {
  add(session: SessionId, covered: Covered<State>, entries: number): Promise<void>;
  flush(): Promise<void>;
}

/** Collects the newest state of each session and keeps them together, since a transaction each would cost more. */
function makeKeeper<State>(
  keep: (digests: readonly KeptDigest[]) => Promise<void>,
  version: number,
): Keeper<State> {
  const due = new Map<SessionId, Covered<State>>();
  let entriesDue = 0;
  const flush = async () => {
    const digests = Array.from(due, ([session, { state, seq }]) => ({
      ...{ session, version, seq },
      body: JSON.stringify(state),
    }));
    due.clear();
    entriesDue = 0;
    await keep(digests);
  };
  return {
    flush,
    add: async (session, covered, entries) => {
      due.set(session, covered);
      entriesDue += entries;
      if (entriesDue >= keepAfter) await flush();
    },
  };
}

/** Returns undefined for a digest that other rules made, or that is damaged: it is made anew. */
function parse<State>(kept: KeptDigest | undefined, version: number): Covered<State> | undefined {
  if (kept?.version !== version) return undefined;
  try {
    return { state: JSON.parse(kept.body) as State, seq: kept.seq };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
