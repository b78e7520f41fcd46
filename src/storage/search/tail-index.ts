import { DatabaseSync } from "node:sqlite";
import { search } from "../migrations/0006-search.ts";
import { rankedSearch } from "../migrations/0010-ranked-search.ts";
import { wordCounts } from "../migrations/0011-word-counts.ts";
import { forgetByKey } from "../migrations/0012-forget-by-key.ts";
import type { SqlDriver, SqlRunner } from "../sql-driver.ts";
import { SqliteDriver } from "../sqlite/sqlite-driver.ts";
import { readState } from "./read-behind.ts";
import { placeholders } from "./search-dialect.ts";
import { termsVersion } from "./terms.ts";

/** The index of a store, and beside it, where it cannot follow the log, one in memory of what it has not. */
export interface Indexes {
  /** Has the log. */
  readonly store: SqlRunner;
  readonly parts: readonly SqlRunner[];
  /** What the store's index has and should not, as `placeOf` names it. */
  readonly over: ReadonlySet<string>;
  /** The index in memory, and how many entries it has. */
  readonly tail: SqlDriver | undefined;
  readonly scanned: number;
}

/** What an index asks of sessions and projects. */
const copied = {
  project: ["key", "id", "name"],
  session: ["key", "id", "client", "branch", "started_ms", "base_seq", "title", "title_by"],
  session_head: ["session_key", "project_key", "deleted_ms", "head_seq"],
  search_progress: ["session_key", "up_to", "title"],
};

/** Makes an index in memory that is as far as that of a store, and empty. */
export async function openTailIndex(store: SqlRunner): Promise<SqlDriver> {
  const db = new DatabaseSync(":memory:");
  const tail = new SqliteDriver(db, { path: ":memory:", busyDeadlineMs: 0 });
  for (const migration of [search, rankedSearch, wordCounts, forgetByKey]) db.exec(migration(tail.dialect));
  db.exec(`UPDATE search_state SET version = ${termsVersion}`);
  const { isCurrent } = await readState(store);
  for (const [table, columns] of Object.entries(copied)) {
    const names = columns.join(", ");
    if (table !== "search_progress") db.exec(`CREATE TABLE ${table} (${names})`);
    else if (!isCurrent) continue;
    const insert = db.prepare(`INSERT INTO ${table} (${names}) VALUES (${placeholders(columns)})`);
    for (const row of await store.all(`SELECT ${names} FROM ${table}`)) insert.run(...row);
  }
  return tail;
}
