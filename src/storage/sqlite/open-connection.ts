import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { AppError, configError } from "../../lib/app-error.ts";
import { monotonicMs } from "../../lib/clock.ts";
import { exists, locateKey, readSize } from "../home-folder.ts";
import { ifEmptied, StoreIsCorrupt, storeIsReadOnly } from "../store-errors.ts";
import { applicationId, isFitSqlite } from "./our-databases.ts";
import { isBusy, isUnwritable, toStoreError } from "./sqlite-errors.ts";

/** How long a statement waits for other connections while the database is being opened. */
const busyTimeoutMs = 5000;

/** Opens a connection that writes, and makes sure that a commit on it is on disk. */
export async function openForWriting(path: string): Promise<DatabaseSync> {
  refuseOldSqlite();
  await refuseLoneWal(path);
  return withPatience(path, () => {
    const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
    try {
      refuseForeignDatabase(db, path);
      // The page size counts only for a database that is still empty.
      db.exec("PRAGMA page_size = 8192");
      db.exec("PRAGMA journal_mode = WAL");
      secure(db);
      assertDurable(db);
      if (readPragma(db, "application_id") === 0) db.exec(`PRAGMA application_id = ${applicationId}`);
      return db;
    } catch (error) {
      db.close();
      // SQLite says only that it cannot open something when it may not make its side files.
      throw isUnwritable(error) && !mayWrite(dirname(path)) ? storeIsReadOnly(path, error) : error;
    }
  });
}

/** Opens a connection that only reads, also from a read-only mount or a full disk, where SQLite cannot keep its side files. */
export async function openForReading(path: string): Promise<DatabaseSync> {
  refuseOldSqlite();
  await refuseLoneWal(path);
  await refuseEmptied(path);
  return withPatience(path, () => {
    const db = openReadOnly(path);
    try {
      refuseForeignDatabase(db, path);
      secure(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** SQLite deletes the WAL of a database that is empty, and with it what was acknowledged but not yet moved over. */
export async function refuseLoneWal(path: string): Promise<void> {
  // In this order: a database that is being made has content before it has a WAL.
  if ((await readSize(`${path}-wal`)) === 0 || (await readSize(path)) > 0) return;
  const isMissing = !(await exists(path));
  const what = isMissing
    ? "it is missing, although the file with -wal at its end is there"
    : "it is empty, but the file with -wal at its end is not";
  throw new StoreIsCorrupt(path, what, { hint: ifEmptied });
}

/**
 * Refuses a store that is empty in a home that has had one, as its key says: SQLite would take it for a new one.
 *
 * We make no file that is empty. Version 0.1.0 did, and its key after it: a start that was killed in between may go on.
 */
export async function refuseEmptied(path: string): Promise<void> {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined || file.size > 0) return;
  const key = statSync(locateKey(dirname(path)), { throwIfNoEntry: false });
  if (key !== undefined && key.mtimeMs < file.mtimeMs)
    throw new StoreIsCorrupt(path, "it is empty, although there was a store here", { hint: ifEmptied });
}

function openReadOnly(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    readPragma(db, "schema_version");
    return db;
  } catch (error) {
    db.close();
    // With nothing in the WAL there is nothing that could change under us, so the file can be read as it is.
    if (!isUnwritable(error) || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw error;
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    return new DatabaseSync(url, { readOnly: true });
  }
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // Whatever the reason is, it says no.
    return false;
  }
}

function secure(db: DatabaseSync): void {
  db.exec("PRAGMA synchronous = FULL");
  db.exec("PRAGMA foreign_keys = ON");
  db.exec("PRAGMA trusted_schema = OFF");
  db.exec("PRAGMA cell_size_check = ON");
  db.exec("PRAGMA mmap_size = 0");
  db.exec("PRAGMA secure_delete = ON");
  db.exec("PRAGMA journal_size_limit = 67108864");
  if (process.platform === "darwin") {
    db.exec("PRAGMA fullfsync = ON");
    db.exec("PRAGMA checkpoint_fullfsync = ON");
  }
}

/** Reads the settings back: an engine that quietly keeps others would lose acknowledged entries at a power cut. */
function assertDurable(db: DatabaseSync): void {
  const found = { journal: readPragma(db, "journal_mode"), synchronous: readPragma(db, "synchronous") };
  if (found.journal === "wal" && found.synchronous === 2) return;
  throw new AppError(`SQLite did not take the settings that make it durable: ${JSON.stringify(found)}.`, {
    kind: "internal",
    code: "not-durable",
  });
}

function refuseForeignDatabase(db: DatabaseSync, path: string): void {
  const id = readPragma(db, "application_id");
  if (id === applicationId) return;
  const tables = db.prepare("SELECT count(*) AS n FROM sqlite_schema").get();
  if (id !== 0 || tables?.n !== 0) throw new StoreIsCorrupt(path, "it is a database of another program");
}

export function readPragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function refuseOldSqlite(): void {
  if (isFitSqlite(process.versions.sqlite)) return;
  throw configError(
    "sqlite-too-old",
    `This Node has SQLite ${process.versions.sqlite}, which can corrupt a shared database.`,
    { hint: "Use Node 22.22.3, 24.15, 25.9 or newer." },
  );
}

/** Milliseconds after which a database that others hold is not tried again. */
const patienceMs = 15_000;

/** Changing a new file to WAL fails at once while another process does the same, however long the timeout is. */
async function withPatience(path: string, work: () => DatabaseSync): Promise<DatabaseSync> {
  const end = monotonicMs() + patienceMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || monotonicMs() > end) throw toStoreError(error, path);
      await sleep(10 + Math.random() * 40);
    }
  }
}
