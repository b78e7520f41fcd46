import type { DigestStore } from "../sessions/digest-store.ts";
import type { Ingestion } from "../sessions/ingestion.ts";
import type { Replica } from "../sessions/replica.ts";
import type { Scrubber } from "../sessions/scrubber.ts";
import type { SearchIndex } from "../sessions/search-index.ts";
import type { SqlDriver } from "./sql-driver.ts";

// What few commands need is loaded at its first use: each module costs all of them something at their start.

/** Returns the ingestion of a store. */
export function lazyIngestion(driver: SqlDriver, key: Uint8Array): Ingestion {
  let loaded: Promise<Ingestion> | undefined;
  const make = async () => new (await import("./sql-ingestion.ts")).SqlIngestion(driver, key);
  const load = () => {
    loaded ??= make();
    return loaded;
  };
  return {
    find: async (source) => (await load()).find(source),
    store: async (batch) => (await load()).store(batch),
    flush: async () => (await load()).flush(),
    states: async (session) => (await load()).states(session),
    sharing: async (client, entry, at) => (await load()).sharing(client, entry, at),
    natives: async (client) => (await load()).natives(client),
    deletions: async (client) => (await load()).deletions(client),
    held: async (session, entries) => (await load()).held(session, entries),
    redact: async (value) => (await load()).redact(value),
  };
}

/** Returns the replica of a store. */
export function lazyReplica(driver: SqlDriver, key: Uint8Array): Replica {
  const load = async () => new (await import("./replica/sql-replica.ts")).SqlReplica(driver, key);
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

/** Returns the scrubber of a store. */
export function lazyScrubber(driver: SqlDriver, key: Uint8Array): Scrubber {
  const load = async () => new (await import("./scrub/sql-scrubber.ts")).SqlScrubber(driver, key);
  return {
    find: async (...args) => (await load()).find(...args),
    replace: async (...args) => (await load()).replace(...args),
    wipe: async () => (await load()).wipe(),
  };
}

/** Returns the search index of a store. */
export function lazySearchIndex(driver: SqlDriver): SearchIndex {
  const load = async () => new (await import("./search/sql-search-index.ts")).SqlSearchIndex(driver);
  return {
    catchUp: async (...args) => (await load()).catchUp(...args),
    search: async (...args) => (await load()).search(...args),
    rebuild: async (...args) => (await load()).rebuild(...args),
    describe: async () => (await load()).describe(),
  };
}

/** Returns the digests of a store; they are loaded at their first use, because few commands need them. */
export function lazyDigestStore(driver: SqlDriver): DigestStore {
  const load = async () => new (await import("./digests/sql-digest-store.ts")).SqlDigestStore(driver);
  return {
    read: async (...args) => (await load()).read(...args),
    keep: async (...args) => (await load()).keep(...args),
    clear: async () => (await load()).clear(),
  };
}
