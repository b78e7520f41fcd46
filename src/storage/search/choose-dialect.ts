import type { SqlRunner } from "../sql-driver.ts";
import { postgresSearch } from "./postgres.ts";
import type { SearchDialect } from "./search-dialect.ts";
import { sqliteSearch } from "./sqlite.ts";

/** Returns what is special about the engine of a runner. */
export function searchDialect({ dialect }: SqlRunner): SearchDialect {
  return dialect.name === "sqlite" ? sqliteSearch : postgresSearch;
}
