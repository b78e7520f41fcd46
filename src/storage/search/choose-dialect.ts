import type { SqlRunner } from "../sql-driver.ts";
import { postgresSearch } from "./postgres.ts";
import type { SearchDialect } from "./search-dialect.ts";
import { sqliteSearch } from "./sqlite.ts";

/** Returns what is special about the engine of a runner. */
export function searchDialect({ dialect }: Pick<SqlRunner, "dialect">): SearchDialect {
  return dialect.name === "sqlite" ? sqliteSearch : postgresSearch;
}
