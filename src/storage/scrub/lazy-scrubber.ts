import type { Scrubber } from "../../sessions/scrubber.ts";
import type { SqlDriver } from "../sql-driver.ts";

/** Returns the scrubber of a store; it is loaded at its first use, because few commands need it. */
export function lazyScrubber(driver: SqlDriver, key: Uint8Array): Scrubber {
  const load = async () => new (await import("./sql-scrubber.ts")).SqlScrubber(driver, key);
  return {
    find: async (...args) => (await load()).find(...args),
    replace: async (...args) => (await load()).replace(...args),
    wipe: async () => (await load()).wipe(),
  };
}
