import { type BigIntStats, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { monotonicMs } from "../lib/clock.ts";
import { insertItem, type NewInboxItem, toInboxRow } from "./new-inbox-item.ts";
import { applicationId, isFitSqlite } from "./sqlite/our-databases.ts";

/** How large a WAL may be left to whoever opens the store next: reading this much costs less than one sync. */
const walLimit = 262_144;

/** How many milliseconds apart two hooks may be that were told the same of one event. */
const twinWithinMs = 3000;

/** How an item is put. */
export interface PutOptions {
  readonly withinMs: number;
  /** Whether to look if somebody else has just put the same, as where two hooks are installed. */
  readonly findsTwin?: boolean;
  /** Whether the connection is held until the process ends, because this process opens the store afterwards. */
  readonly holds?: boolean;
}

/** What is not held is closed when garbage is collected, in the midst of whatever goes on then. */
const held: DatabaseSync[] = [];

/**
 * Puts an item into the inbox of a database without opening it as a store, which would cost a hook too much. Tells
 * whether it is the first one; one that nobody looked for is.
 *
 * Returns when the item is on disk. Throws when it cannot be, or not within the time; then nothing was put, and nothing
 * was made where there is no database. The connection mostly stays open until the process ends, which has to be soon:
 * closing the last one merges the WAL, and that takes three syncs of the disk where the item takes one. While it is held,
 * other connections of this process are not the last one, and find the WAL as it is.
 */
export function putDirectly(
  path: string,
  item: NewInboxItem,
  { withinMs, findsTwin = false, holds = false }: PutOptions,
): boolean {
  const deadline = monotonicMs() + withinMs;
  if (!isFitSqlite(process.versions.sqlite)) throw new Error("the SQLite of this Node is too old");
  // SQLite takes an empty file for a new database, and deletes the WAL of one that was cut to nothing.
  const file = statSync(path, { bigint: true });
  if (file.size === 0n) throw new Error("the store is empty");
  const db = openExisting(path, withinMs);
  let isPut = false;
  try {
    prepare(db);
    db.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.floor(deadline - monotonicMs()))}`);
    const { lastInsertRowid: key } = db.prepare(insertItem).run(...toInboxRow(item));
    isPut = true;
    requireSame(path, file);
    return !(findsTwin && hasTwin(db, item, Number(key)));
  } finally {
    // Nobody else may be there to merge it for long, and each hook reads it from its beginning.
    if (isLarge(`${path}-wal`) || (holds && !isPut)) db.close();
    else if (holds) held.push(db);
  }
}

/** SQLite writes to a file that was deleted or renamed, too, where nobody would find the item. */
function requireSame(path: string, file: BigIntStats): void {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (now?.ino !== file.ino || now.dev !== file.dev) throw new Error("the store was deleted or replaced");
  if (now.size === 0n) throw new Error("the store was emptied");
}

function isLarge(wal: string): boolean {
  return (statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > walLimit;
}

/** Of two that come at once, both are there when each looks, and only one is the later one. */
function hasTwin(
  db: DatabaseSync,
  { receivedMs, event, session, payload }: NewInboxItem,
  key: number,
): boolean {
  const twin = db.prepare(
    "SELECT 1 FROM inbox WHERE key < ? AND key > ? AND received_ms > ? AND event = ? AND session_id = ? AND payload = ?",
  );
  return twin.get(key, key - 200, receivedMs - twinWithinMs, event, session, payload) !== undefined;
}

/** Loads SQLite only here: Node may warn when it is loaded, and the caller has to see to that first. */
function openExisting(path: string, timeout: number): DatabaseSync {
  const sqlite = process.getBuiltinModule("node:sqlite");
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "rw");
  return new sqlite.DatabaseSync(url, { timeout });
}

function prepare(db: DatabaseSync): void {
  if (readPragma(db, "application_id") !== applicationId) throw new Error("the database is not ours");
  db.exec("PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  if (process.platform === "darwin") db.exec("PRAGMA fullfsync = ON");
  if (readPragma(db, "journal_mode") !== "wal" || readPragma(db, "synchronous") !== 2) {
    throw new Error("the database is not durable");
  }
}

function readPragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}
