import type { Store } from "../open-store.ts";
import { openForReading, openForWriting, readPragma } from "./open-connection.ts";
import { toStoreError } from "./sqlite-errors.ts";

export interface UsageRow {
  readonly project: string;
  readonly client: string;
  readonly sessions: number;
  /** Entries of its own; those shared with an origin count there. */
  readonly entries: number;
  /** Stored bytes of the bodies; one that several entries share is divided among them. */
  readonly bytes: number;
}

/** Returns who takes how much space, largest first. Reads the whole store. */
export async function readUsage(store: Store): Promise<readonly UsageRow[]> {
  const db = await openForReading(store.path);
  try {
    const rows = db
      .prepare(
        `SELECT p.name AS project, s.client AS client, count(DISTINCT CASE WHEN h.deleted_ms IS NULL THEN s.key END) AS sessions, count(e.seq) AS entries,
           CAST(coalesce(sum((coalesce(octet_length(b.json), 0) + coalesce(length(b.zstd), 0)) * 1.0 / b.refs), 0) AS INTEGER) AS bytes
         FROM session s JOIN session_head h ON h.session_key = s.key JOIN project p ON p.key = h.project_key
         LEFT JOIN entry e ON e.session_key = s.key LEFT JOIN body b ON b.key = e.body_key
         WHERE h.deleted_ms IS NULL OR e.seq IS NOT NULL GROUP BY p.key, s.client ORDER BY bytes DESC, project, client`,
      )
      .all();
    return rows.map((row) => ({
      project: String(row.project),
      client: String(row.client),
      sessions: Number(row.sessions),
      entries: Number(row.entries),
      bytes: Number(row.bytes),
    }));
  } catch (error) {
    throw toStoreError(error, store.path);
  } finally {
    db.close();
  }
}

/** Gives free pages back to the disk when they are at least a fifth of the file; returns how many bytes that were. */
export async function compactStore(store: Store): Promise<number> {
  const db = await openForWriting(store.path);
  try {
    const pages = () => Number(readPragma(db, "page_count"));
    const before = pages();
    if (Number(readPragma(db, "freelist_count")) * 5 >= before) db.exec("VACUUM");
    // What was deleted is still in the WAL until it is emptied.
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return (before - pages()) * Number(readPragma(db, "page_size"));
  } catch (error) {
    throw toStoreError(error, store.path);
  } finally {
    db.close();
  }
}
