import type { DigestStore } from "../../sessions/digest-store.ts";
import type { SqlDriver } from "../sql-driver.ts";

/** Returns the digests of a store; they are loaded at their first use, because few commands need them. */
export function lazyDigestStore(driver: SqlDriver): DigestStore {
  const load = async () => new (await import("./sql-digest-store.ts")).SqlDigestStore(driver);
  return {
    read: async (...args) => (await load()).read(...args),
    keep: async (...args) => (await load()).keep(...args),
    clear: async () => (await load()).clear(),
  };
}
