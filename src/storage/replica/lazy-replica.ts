import type { Replica } from "../../sessions/replica.ts";
import type { SqlDriver } from "../sql-driver.ts";

/** Returns the replica of a store; it is loaded at its first use, because few commands need it. */
export function lazyReplica(driver: SqlDriver, key: Uint8Array): Replica {
  const load = async () => new (await import("./sql-replica.ts")).SqlReplica(driver, key);
  return {
    find: async (session) => (await load()).find(session),
    read: async function* (session, range) {
      yield* (await load()).read(session, range);
    },
    heads: async function* (query) {
      yield* (await load()).heads(query);
    },
    relatives: async (knownAs) => (await load()).relatives(knownAs),
    hashes: async (session, from, to) => (await load()).hashes(session, from, to),
    holds: async (session, entries) => (await load()).holds(session, entries),
    tombstone: async (session) => (await load()).tombstone(session),
    receive: async (work) => (await load()).receive(work),
  };
}
