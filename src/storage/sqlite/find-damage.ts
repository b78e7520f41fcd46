import type { DatabaseSync } from "node:sqlite";

const mostReported = 5;

/** What must be there for every row, although no reference of the schema says so. */
const orphans = [
  {
    sql: "SELECT 1 FROM entry e WHERE NOT EXISTS (SELECT 1 FROM body b WHERE b.key = e.body_key)",
    what: "an entry has no body",
  },
  {
    sql: "SELECT 1 FROM session s WHERE NOT EXISTS (SELECT 1 FROM session_head h WHERE h.session_key = s.key)",
    what: "a session has no head",
  },
];

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
  const missing = orphans.flatMap(({ sql, what }) =>
    db.prepare(`${sql} LIMIT 1`).get() === undefined ? [] : [what],
  );
  return [...pages.filter((line) => line !== "ok"), ...new Set(references), ...missing].slice(
    0,
    mostReported,
  );
}
