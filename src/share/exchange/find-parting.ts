import type { EntryId, SessionId } from "../../sessions/ids.ts";
import type { Replica, ReplicaHead } from "../../sessions/replica.ts";
import type { Ways } from "./ways.ts";

/** The last entry that two sessions have in common, and the one of them that is in the target. */
export interface Parting {
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
