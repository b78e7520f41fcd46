import { describesOnly } from "../../sessions/describing-events.ts";
import type { LinkedEntry, Replica, ReplicaHead } from "../../sessions/replica.ts";

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
