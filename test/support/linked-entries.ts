import { chainStart } from "../../src/sessions/chain.ts";
import { hashAfter } from "../../src/sessions/follow-chain.ts";
import type { SessionId } from "../../src/sessions/ids.ts";
import type { LinkedEntry, Replica } from "../../src/sessions/replica.ts";
import { collect } from "./entries.ts";

/** Links entries into a chain anew, as somebody would who makes a session up. */
export function relink(entries: readonly LinkedEntry[]): readonly LinkedEntry[] {
  let before = chainStart;
  return entries.map((entry) => {
    before = hashAfter(before, entry);
    return { ...entry, hash: before };
  });
}

/** Reads all entries of a session with their hashes. */
export async function readLinked(replica: Replica, session: SessionId): Promise<readonly LinkedEntry[]> {
  return (await collect(replica.read(session))).flat();
}

/** Streams entries as an arrival does, all at once. */
export async function* inOneBatch(entries: readonly LinkedEntry[]): AsyncGenerator<readonly LinkedEntry[]> {
  yield entries;
}
