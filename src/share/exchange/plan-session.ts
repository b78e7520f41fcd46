import { describesOnly } from "../../sessions/describing-events.ts";
import type { EntryId, SessionId } from "../../sessions/ids.ts";
import { isSameHash, type LinkedEntry, type Replica, type ReplicaHead } from "../../sessions/replica.ts";

/** The two stores: what one has is brought to the other. */
export interface Ways {
  readonly source: Replica;
  readonly target: Replica;
}

/** What is to be done about a session that a store has, in another one. */
export type Plan =
  /** Everything of it is there. */
  | { readonly type: "known" }
  /** It was deleted there. */
  | { readonly type: "gone"; readonly there: ReplicaHead }
  /** What is there is its beginning. */
  | { readonly type: "extend"; readonly there: ReplicaHead }
  /** It has nothing that what is there lacks but words about itself: a title, tags, how it stopped. */
  | {
      readonly type: "describe";
      readonly there: ReplicaHead;
      readonly entries: readonly LinkedEntry[];
    }
  /** It is not there, or went another way than what is. */
  | {
      readonly type: "begin";
      readonly parting: Parting | undefined;
      readonly relatives: readonly ReplicaHead[];
    }
  /** It was deleted here: what is there and is a part of it goes too, unless it is that store's own. */
  | {
      readonly type: "bury";
      readonly there: readonly ReplicaHead[];
      readonly kept: readonly ReplicaHead[];
      readonly spared: readonly ReplicaHead[];
    }
  /** It was deleted here, and all that is there of it is that store's own. */
  | { readonly type: "spare"; readonly spared: readonly ReplicaHead[] };

/** Decides what becomes of a session; `relatives` is all that the target knows by the same id. */
export function planSession(ways: Ways, head: ReplicaHead, relatives: readonly ReplicaHead[]): Promise<Plan> {
  return head.deletedAt === null ? planLiving(ways, head, relatives) : planBurial(ways, head, relatives);
}

async function planLiving(ways: Ways, head: ReplicaHead, relatives: readonly ReplicaHead[]): Promise<Plan> {
  const [living, deleted] = [relatives.filter(isLiving), relatives.filter((each) => !isLiving(each))];
  if (living.some((each) => isEqual(each, head))) return { type: "known" };
  for (const there of living) if (await isPartOf(head, there, ways.target)) return { type: "known" };
  // Of one that was deleted before hashes were kept nobody knows; it stays where it is, and does not come back.
  for (const there of deleted)
    if ((await isPartOf(head, there, ways.target)) !== false) return { type: "gone", there };
  const longestFirst = living.toSorted((one, other) => other.entries - one.entries);
  for (const there of longestFirst)
    if (await isBeginning(there, head, ways.source)) return { type: "extend", there };
  const parting = await findLatestParting(ways, head, living);
  return (await planDescription(ways, head, parting)) ?? { type: "begin", parting: parting?.at, relatives };
}

/** A title that was given elsewhere while a session went on is no way of its own. */
async function planDescription(
  { source, target }: Ways,
  head: ReplicaHead,
  parting: LatestParting | undefined,
): Promise<Plan | undefined> {
  if (parting === undefined) return undefined;
  const { there, at } = parting;
  const entries = await readDescribing(source, head, at.seq);
  if (entries === undefined) return undefined;
  const ids = entries.map(({ id }) => id);
  const isTold = (await target.holds(there.session, ids)).size === ids.length;
  return isTold ? { type: "known" } : { type: "describe", there, entries };
}

/** The session that has most in common with one, and where the two part. */
interface LatestParting {
  readonly there: ReplicaHead;
  readonly at: Parting;
}

async function findLatestParting(
  ways: Ways,
  head: ReplicaHead,
  living: readonly ReplicaHead[],
): Promise<LatestParting | undefined> {
  let latest: LatestParting | undefined;
  for (const there of living) {
    const at = await findParting(ways, head, there);
    if (at !== undefined && at.seq > (latest?.at.seq ?? 0)) latest = { there, at };
  }
  return latest;
}

async function planBurial(ways: Ways, head: ReplicaHead, relatives: readonly ReplicaHead[]): Promise<Plan> {
  const living = await judgeLiving(ways, head, relatives.filter(isLiving));
  const { there, kept, spared } = living;
  if (there.length > 0) return { type: "bury", ...living };
  // It is told each time, because nothing in the stores says whether a person has heard of it.
  const known: Plan = spared.length === 0 ? { type: "known" } : { type: "spare", spared };
  for (const each of relatives.filter((each) => !isLiving(each)))
    if (isEqual(each, head) || (await isPartOf(head, each, ways.target))) return known;
  // Of what nobody there has ever heard, nobody needs to know that it is gone.
  const isUntold = relatives.length === 0 || (spared.length > 0 && kept.length === 0);
  return isUntold ? known : { type: "bury", ...living };
}

/** Tells apart what goes because it is a part of what was deleted, what is more than that, and what its store keeps. */
async function judgeLiving(ways: Ways, head: ReplicaHead, living: readonly ReplicaHead[]) {
  const there: ReplicaHead[] = [];
  const kept: ReplicaHead[] = [];
  const spared: ReplicaHead[] = [];
  for (const each of living) {
    if (await isBeginning(each, head, ways.source)) (each.isOwn ? spared : there).push(each);
    else if (head.entries > 0 && (await isPartOf(head, each, ways.target))) kept.push(each);
  }
  return { there, kept, spared };
}

/** Tells whether a session was not deleted. */
export function isLiving({ deletedAt }: ReplicaHead): boolean {
  return deletedAt === null;
}

function isEqual(one: ReplicaHead, other: ReplicaHead): boolean {
  return one.entries === other.entries && one.head === other.head;
}

/**
 * Tells whether all of a session is in another one, of which a store is asked: equal hashes mean that all before is equal
 * too. Undefined where the store does not know any more.
 */
async function isPartOf(part: ReplicaHead, whole: ReplicaHead, store: Replica): Promise<boolean | undefined> {
  if (part.entries === 0) return true;
  if (part.entries > whole.entries) return false;
  if (part.entries === whole.entries) return part.head === whole.head;
  const [hash] = await store.hashes(whole.session, part.entries, part.entries);
  return hash === undefined ? undefined : isSameHash(hash, part.head);
}

/** Without an entry in common, two sessions are the same only if they began at the same moment, in the same client. */
async function isBeginning(part: ReplicaHead, whole: ReplicaHead, store: Replica): Promise<boolean> {
  if (part.entries > 0) return (await isPartOf(part, whole, store)) === true;
  return part.client === whole.client && part.startedAt.getTime() === whole.startedAt.getTime();
}

/** The last entry that two sessions have in common, and the one of them that is in the target. */
interface Parting {
  readonly session: SessionId;
  readonly seq: number;
  readonly entry: EntryId;
  readonly hash: string;
}

/** Finds where the chains of two sessions part, asking both stores a few times; undefined where they have nothing in common. */
export async function findParting(
  { source, target }: Ways,
  here: ReplicaHead,
  there: ReplicaHead,
): Promise<Parting | undefined> {
  const hashAt = async (store: Replica, { session }: ReplicaHead, seq: number) =>
    (await store.hashes(session, seq, seq))[0];
  let [common, different] = [0, Math.min(here.entries, there.entries) + 1];
  while (different - common > 1) {
    const middle = Math.floor((common + different) / 2);
    const [one, other] = [await hashAt(source, here, middle), await hashAt(target, there, middle)];
    if (one !== undefined && one === other) common = middle;
    else different = middle;
  }
  for await (const [entry] of source.read(here.session, { from: common, to: common }))
    if (common > 0 && entry !== undefined)
      return { session: there.session, seq: common, entry: entry.id, hash: entry.hash };
  return undefined;
}

/** Returns what a session has after an entry if it does nothing but describe the session; undefined if it says more. */
export async function readDescribing(
  store: Replica,
  { session, entries: to }: ReplicaHead,
  after: number,
): Promise<readonly LinkedEntry[] | undefined> {
  const found: LinkedEntry[] = [];
  for await (const entries of store.read(session, { from: after + 1, to })) {
    if (!entries.every(describesOnly)) return undefined;
    found.push(...entries);
  }
  return found;
}
