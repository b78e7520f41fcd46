import type { Ingestion } from "../sessions/ingestion.ts";
import type { SqlDriver } from "./sql-driver.ts";

/** Returns the ingestion of a store; it is loaded at its first use, because few commands need it. */
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
    deletions: async (client) => (await load()).deletions(client),
    held: async (session, entries) => (await load()).held(session, entries),
    redact: async (value) => (await load()).redact(value),
  };
}
