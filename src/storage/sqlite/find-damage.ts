import type { DatabaseSync } from "node:sqlite";
import { orphans } from "../orphans.ts";

const mostReported = 5;

/** Returns what is wrong with the pages, indexes and references of a database, at most a few lines; none is good. */
export function findDamage(db: DatabaseSync): readonly string[] {
  const pages = db
    .prepare(`PRAGMA integrity_check(${mostReported})`)
    .all()
    .map((row) => String(row.integrity_check));
  const references = db
    .prepare("PRAGMA foreign_key_check")
    .all()
    .map((row) => `table ${row.table} refers to a row that is gone`);
  const missing = orphans.flatMap(({ sql, what }) => (db.prepare(sql).get() === undefined ? [] : [what]));
  return [...pages.filter((line) => line !== "ok"), ...new Set(references), ...missing].slice(
    0,
    mostReported,
  );
}

/** Tells whether a line is about the search index, which can be made anew from the log. */
export function isOfIndex(line: string): boolean {
  return /\bsearch_/.test(line);
}
