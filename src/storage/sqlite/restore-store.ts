import { chmod, copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { ioError, isSystemError, usageError } from "../../lib/app-error.ts";
import { makeTempPath, syncFolder } from "../../lib/atomic-file.ts";
import { listPages } from "../../sessions/conversation-log.ts";
import { SessionInUse } from "../../sessions/errors.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { Holder } from "../../sessions/lease.ts";
import { makeGuard } from "../guard.ts";
import { makeLocalFolder, readOrMakeKey, readSize, toFolderError } from "../home-folder.ts";
import { fromLeaseColumns, isReplaceable, leaseColumns } from "../lease-row.ts";
import { migrate } from "../migrate.ts";
import { locateStore, openStore } from "../open-store.ts";
import { forgetIndex } from "../search/catch-up.ts";
import { SqlConversationLog } from "../sql-conversation-log.ts";
import type { SqlRunner, SqlValue } from "../sql-driver.ts";
import { SessionIsDamaged, StoreIsCorrupt } from "../store-errors.ts";
import { copyTo, countSessions, syncFile } from "./backup-store.ts";
import { discardDraft } from "./discard-draft.ts";
import { findDamage, isOfIndex } from "./find-damage.ts";
import { moveAside } from "./move-aside.ts";
import { openForWriting } from "./open-connection.ts";
import { openWatched, SqliteDriver } from "./sqlite-driver.ts";
import { toStoreError } from "./sqlite-errors.ts";
import { timeStamp } from "./time-stamp.ts";

export interface Restoration {
  readonly sessions: number;
  /** Where the store as it was has been kept; null when there was none. */
  readonly kept: string | null;
}

export interface RestoreOptions {
  /** Takes a backup although some of its entries are not what was written. */
  readonly evenIfDamaged?: boolean;
  /** Replaces the store although a living process holds one of its sessions. */
  readonly evenIfWritten?: boolean;
}

/**
 * Makes the store what a backup says, and keeps the store as it was in a file beside it.
 *
 * While a living process holds a session it is `SessionInUse`: what was acknowledged to it would be gone. The content
 * is replaced in one transaction, and what others wrote until then is in the file that is kept; no lease from before
 * is good for another append. A store that cannot be opened is moved aside.
 */
export async function restoreStore(
  home: string,
  file: string,
  now: Date,
  options: RestoreOptions = {},
): Promise<Restoration> {
  const path = locateStore(home);
  await makeLocalFolder(home);
  const draft = await makeTempPath(join(home, "restore"));
  try {
    await copyBackup(file, draft);
    const sessions = await checkCopy(file, draft, options);
    return { sessions, kept: await takeOver({ home, path, draft, now }, options) };
  } catch (error) {
    throw toFolderError(toStoreError(error, path), path);
  } finally {
    await discardDraft(draft);
  }
}

/** Works on a copy: a file from elsewhere is never opened for writing. */
async function copyBackup(file: string, draft: string): Promise<void> {
  try {
    await copyFile(file, draft);
  } catch (error) {
    if (!isSystemError(error, "ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM")) throw error;
    const message = `The backup ${file} cannot be read.`;
    throw usageError("backup-unreadable", message, { cause: error });
  }
  await chmod(draft, 0o600);
  // A store that was copied as a file, or moved aside, has its newest entries there.
  if ((await readSize(`${file}-wal`)) > 0) {
    await copyFile(`${file}-wal`, `${draft}-wal`);
    await chmod(`${draft}-wal`, 0o600);
  }
}

/** Makes sure that a copy is an intact store and has the tables of today; returns how many sessions it holds. */
async function checkCopy(file: string, draft: string, options: RestoreOptions): Promise<number> {
  try {
    const db = await openForWriting(draft);
    const driver = new SqliteDriver(db, { path: file, busyDeadlineMs: 0 });
    try {
      const damage = findDamage(db).filter((line) => !isOfIndex(line));
      if (damage.length > 0) throw new StoreIsCorrupt(file, damage.join("; "));
      await migrate(driver, file);
      // No hash vouches for them. They are made anew from the entries.
      await driver.run("DELETE FROM session_digest");
      if (!options.evenIfDamaged) await verifyAll(driver, file);
      // Without a WAL of its own, it leaves no side files behind should we be killed.
      db.exec("PRAGMA journal_mode = DELETE");
      return countSessions(db);
    } finally {
      await driver[Symbol.asyncDispose]();
    }
  } catch (error) {
    const known = toStoreError(error, file);
    if (!(known instanceof StoreIsCorrupt)) throw known;
    const message = `${file} is not an intact backup: nothing was restored.`;
    throw ioError("backup-damaged", `${message} ${known.message}`, { cause: known });
  }
}

/** Throws when a session of a backup is not what was written. */
async function verifyAll(driver: SqliteDriver, file: string): Promise<void> {
  const log = new SqlConversationLog(driver, makeGuard(new Uint8Array(32)));
  for await (const { sessions, damaged } of listPages(log)) {
    if (damaged[0] !== undefined)
      throw new StoreIsCorrupt(file, `the record of session ${damaged[0]} is damaged`);
    for (const { id } of sessions) {
      const { problem } = await log.verify(id);
      if (problem !== null) {
        const what = problem.seq === 0 ? "" : `entry ${problem.seq} of `;
        throw new StoreIsCorrupt(file, `${what}session ${id}: ${problem.reason}`);
      }
    }
  }
}

interface Place {
  readonly home: string;
  readonly path: string;
  /** The checked copy of the backup. */
  readonly draft: string;
  readonly now: Date;
}

async function takeOver(place: Place, options: RestoreOptions): Promise<string | null> {
  const { home, path, now } = place;
  try {
    await (await openStore(home))[Symbol.asyncDispose]();
    return await replaceContent(place, options);
  } catch (error) {
    const known = toStoreError(error, path);
    if (!(known instanceof StoreIsCorrupt)) throw known;
    const kept = await moveAside(home, now);
    await readOrMakeKey(home);
    await putInPlace(place);
    return kept;
  }
}

async function putInPlace({ home, path, draft }: Place): Promise<void> {
  await syncFile(draft);
  await rename(draft, path);
  await syncFolder(home);
}

async function replaceContent(
  { home, path, draft, now }: Place,
  { evenIfWritten }: RestoreOptions,
): Promise<string | null> {
  const writer = await openWatched(path);
  const reader = await openForWriting(path);
  try {
    await writer.run("ATTACH ? AS backup", [draft]);
    // From here on nobody else can write, so the copy that is kept misses nothing.
    return await writer.transaction(async (transaction) => {
      if (!evenIfWritten) await refuseWriter(transaction);
      const isEmpty = countSessions(reader) === 0;
      const kept = isEmpty ? null : join(home, `store.before-restore-${timeStamp(now)}.db`);
      if (kept !== null) await copyTo(reader, kept, { overwrite: false });
      await copyTables(transaction);
      return kept;
    });
  } finally {
    await writer[Symbol.asyncDispose]();
    reader.close();
  }
}

async function refuseWriter(runner: SqlRunner): Promise<void> {
  const writer = await findWriter(runner);
  if (writer === undefined) return;
  const { session, holder } = writer;
  throw new SessionInUse(
    session,
    holder,
    `Nothing was restored. Ask the writer to stop: \`carryon sessions --take-over ${session}\`\nOr say --force: what it wrote stays in the file that is kept, and it can add nothing more.`,
  );
}

async function copyTables(runner: SqlRunner): Promise<void> {
  await runner.run("PRAGMA defer_foreign_keys = ON");
  const tables = await runner.all(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'search_*'",
  );
  for (const [name] of tables) await runner.run(`DELETE FROM main."${name}"`);
  for (const [name] of tables) await runner.run(`INSERT INTO main."${name}" SELECT * FROM backup."${name}"`);
  await forgetIndex(runner);
  // Less than any epoch that was ever given: who still has a lease finds that the store went back behind it.
  await runner.run("UPDATE main.session_head SET epoch = 0");
}

/** A session and the living process that writes it. */
interface Writer {
  readonly session: SessionId;
  readonly holder: Holder;
}

/** Returns a living process that holds a session of the store, if there is one. */
async function findWriter(runner: SqlRunner): Promise<Writer | undefined> {
  const rows = await runner.all(
    `SELECT s.id, ${leaseColumns(runner.dialect)} FROM session s JOIN session_head h ON h.session_key = s.key
     LEFT JOIN lease l ON l.session_key = s.key
     WHERE h.deleted_ms IS NULL AND h.lease_until_ms IS NOT NULL ORDER BY s.key`,
  );
  for (const [id, ...columns] of rows) {
    const session = id as SessionId;
    const holding = readHolding(session, columns);
    if (holding !== undefined && !(await isReplaceable(holding))) return { session, holder: holding.holder };
  }
  return undefined;
}

/** Of a damaged lease nobody can say whose it is. */
function readHolding(session: SessionId, columns: readonly SqlValue[]) {
  try {
    return fromLeaseColumns(session, columns).holding;
  } catch (error) {
    if (error instanceof SessionIsDamaged) return undefined;
    throw error;
  }
}
