import { lstatSync } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { conflictError } from "../../lib/app-error.ts";
import { makeTempPath, sweepStrays, syncFolder } from "../../lib/atomic-file.ts";
import { FileError, refuseSpecialFile, writeFailed } from "../../lib/file-error.ts";
import { nameFile } from "../name-file.ts";
import { locateStore } from "../open-store.ts";
import { refuseOwnFiles } from "../refuse-own-files.ts";
import { StoreIsFull } from "../store-errors.ts";
import { discardDraft } from "./discard-draft.ts";
import { openForReading } from "./open-connection.ts";
import { isSqliteError, toStoreError } from "./sqlite-errors.ts";

export interface Backup {
  readonly bytes: number;
  readonly sessions: number;
}

/** Writes a complete copy of the store to a file, while others go on writing; the file appears whole or not at all. */
export async function backupStore(
  home: string,
  file: string,
  options: { readonly overwrite: boolean },
): Promise<Backup> {
  const path = locateStore(home);
  await refuseOwnFiles(home, file);
  await sweepFolder(dirname(file));
  const db = await openForReading(path);
  try {
    return await copyTo(db, file, options);
  } catch (error) {
    throw toStoreError(error, path);
  } finally {
    db.close();
  }
}

/** Copies an open database to a new file: 0600, synced, and never through a link. */
export async function copyTo(
  db: DatabaseSync,
  file: string,
  options: { readonly overwrite: boolean },
): Promise<Backup> {
  const draft = await makeTempPath(file);
  try {
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (there !== undefined) refuseSpecialFile(file, there);
    await (await open(draft, "wx", 0o600)).close();
    return await fill(db, draft, file, options);
  } catch (error) {
    throw toFileError(error, file);
  }
}

async function fill(
  db: DatabaseSync,
  draft: string,
  file: string,
  options: { readonly overwrite: boolean },
): Promise<Backup> {
  try {
    db.prepare("VACUUM INTO ?").run(draft);
    await syncFile(draft);
    const copied = { bytes: (await stat(draft)).size, sessions: countSessionsIn(draft) };
    if (options.overwrite) await rename(draft, file);
    else if (!(await nameFile(draft, file)))
      throw conflictError("file-exists", `${file} is there already.`, {
        hint: "Choose another name, or say --force to replace it.",
      });
    await syncFolder(dirname(file));
    return copied;
  } finally {
    await discardDraft(draft);
  }
}

/** A backup that was killed left a file as large as the store, which nobody else removes from this folder. */
async function sweepFolder(folder: string): Promise<void> {
  try {
    await sweepStrays(folder);
  } catch {
    // A folder that cannot be listed may take the copy all the same.
  }
}

/** What SQLite says is about the store, except that the disk is full: that is the one which takes the copy. */
function toFileError(error: unknown, file: string): unknown {
  if (!isSqliteError(error)) return writeFailed(file, error);
  if (!(toStoreError(error, file) instanceof StoreIsFull)) return error;
  return new FileError(`There is no room to write ${file}.`, file, {
    code: "disk-full",
    hint: "Free some space on its disk, or choose another place.",
    cause: error,
  });
}

/** Makes the content of a file durable. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function countSessionsIn(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return countSessions(db);
  } finally {
    db.close();
  }
}

export function countSessions(db: DatabaseSync): number {
  return Number(db.prepare("SELECT count(*) AS n FROM session_head WHERE deleted_ms IS NULL").get()?.n);
}
