import type { SearchIndex } from "../../sessions/search-index.ts";
import type { SqlDriver } from "../sql-driver.ts";

/** Returns the search index of a store; it is loaded at its first use, because few commands need it. */
export function lazySearchIndex(driver: SqlDriver): SearchIndex {
  const load = async () => new (await import("./sql-search-index.ts")).SqlSearchIndex(driver);
  return {
    catchUp: async (...args) => (await load()).catchUp(...args),
    search: async (...args) => (await load()).search(...args),
    rebuild: async (...args) => (await load()).rebuild(...args),
    describe: async () => (await load()).describe(),
  };
}
