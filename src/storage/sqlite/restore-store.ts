import { chmod, copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { listPages } from "../../conversation/list-all.ts";
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { syncFolder } from "../../lib/sync-folder.ts";
import { makeTempPath } from "../../lib/temp-path.ts";
import { toFolderError } from "../home-folder.ts";
import { migrate } from "../migrate.ts";
import { locateStore, openStore } from "../open-store.ts";
import { SqlConversationLog } from "../sql-conversation-log.ts";
import { StoreIsCorrupt } from "../store-errors.ts";
import { copyTo, countSessions, syncFile } from "./backup-store.ts";
import { discardDraft } from "./discard-draft.ts";
import { findDamage } from "./find-damage.ts";
import { moveAside } from "./move-aside.ts";
import { openForWriting } from "./open-connection.ts";
import { makeLocalFolder, readSize } from "./prepare-folder.ts";
import { SqliteDriver } from "./sqlite-driver.ts";
import { toStoreError } from "./sqlite-errors.ts";
import { timeStamp } from "./time-stamp.ts";

export interface Restoration {
  readonly sessions: number;
  /** Where the store as it was has been kept; null when there was none. */
  readonly kept: string | null;
}

/**
 * Makes the store what a backup says, and keeps the store as it was in a file beside it.
 *
 * Other processes may go on: the content is replaced in one transaction, and what they wrote until then is in the
 * file that is kept. A store that cannot be opened is moved aside.
 */
export async function restoreStore(
  home: string,
  file: string,
  now: Date,
  options: { readonly evenIfDamaged: boolean } = { evenIfDamaged: false },
): Promise<Restoration> {
  const path = locateStore(home);
  await makeLocalFolder(home);
  const draft = await makeTempPath(join(home, "restore"));
  try {
    await copyBackup(file, draft);
    const sessions = await checkCopy(file, draft, options);
    return { sessions, kept: await takeOver(home, path, draft, now) };
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
    throw new AppError(message, { kind: "usage", code: "backup-unreadable", cause: error });
  }
  await chmod(draft, 0o600);
  // A store that was copied as a file, or moved aside, has its newest entries there.
  if ((await readSize(`${file}-wal`)) > 0) {
    await copyFile(`${file}-wal`, `${draft}-wal`);
    await chmod(`${draft}-wal`, 0o600);
  }
}

/** Makes sure that a copy is an intact store and has the tables of today; returns how many sessions it holds. */
async function checkCopy(
  file: string,
  draft: string,
  options: { readonly evenIfDamaged: boolean },
): Promise<number> {
  try {
    const db = await openForWriting(draft);
    const driver = new SqliteDriver(db, { path: file, busyDeadlineMs: 0 });
    try {
      const damage = findDamage(db);
      if (damage.length > 0) throw new StoreIsCorrupt(file, damage.join("; "));
      await migrate(driver, file);
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
    throw new AppError(`${message} ${known.message}`, { kind: "io", code: "backup-damaged", cause: known });
  }
}

/** Throws when a session of a backup is not what was written. */
async function verifyAll(driver: SqliteDriver, file: string): Promise<void> {
  const log = new SqlConversationLog(driver, new Uint8Array(32));
  for await (const { sessions, damaged } of listPages(log)) {
    if (damaged[0] !== undefined)
      throw new StoreIsCorrupt(file, `the record of session ${damaged[0]} is damaged`);
    for (const { id } of sessions) {
      const { problem } = await log.verify(id);
      if (problem !== null)
        throw new StoreIsCorrupt(file, `entry ${problem.seq} of session ${id}: ${problem.reason}`);
    }
  }
}

async function takeOver(home: string, path: string, draft: string, now: Date): Promise<string | null> {
  try {
    await (await openStore(home))[Symbol.asyncDispose]();
    return await replaceContent(home, path, draft, now);
  } catch (error) {
    const known = toStoreError(error, path);
    if (!(known instanceof StoreIsCorrupt)) throw known;
    const kept = await moveAside(home, now);
    await putInPlace(home, path, draft);
    return kept;
  }
}

async function putInPlace(home: string, path: string, draft: string): Promise<void> {
  await syncFile(draft);
  await rename(draft, path);
  await syncFolder(home);
}

async function replaceContent(home: string, path: string, draft: string, now: Date): Promise<string | null> {
  const writer = await openForWriting(path);
  const reader = await openForWriting(path);
  try {
    writer.prepare("ATTACH ? AS backup").run(draft);
    // From here on nobody else can write, so the copy that is kept misses nothing.
    writer.exec("BEGIN IMMEDIATE");
    const isEmpty = countSessions(writer) === 0;
    const kept = isEmpty ? null : join(home, `store.before-restore-${timeStamp(now)}.db`);
    if (kept !== null) await copyTo(reader, kept, { overwrite: false });
    copyTables(writer);
    writer.exec("COMMIT");
    return kept;
  } finally {
    // What was not committed is gone with the connection.
    writer.close();
    reader.close();
  }
}

function copyTables(db: DatabaseSync): void {
  db.exec("PRAGMA defer_foreign_keys = ON");
  const tables = db
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of tables) db.exec(`DELETE FROM main."${name}"`);
  for (const { name } of tables) db.exec(`INSERT INTO main."${name}" SELECT * FROM backup."${name}"`);
}
