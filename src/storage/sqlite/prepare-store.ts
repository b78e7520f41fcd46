import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeTempPath, syncFolder } from "../../lib/atomic-file.ts";
import { exists, makeLocalFolder, refuseForeign, toFolderError } from "../home-folder.ts";
import { nameFile } from "../name-file.ts";
import { refuseEmptied, refuseLoneWal } from "./open-connection.ts";
import { applicationId } from "./our-databases.ts";
import { toStoreError } from "./sqlite-errors.ts";

/** Makes the folder (0700) and a database without tables (0600) where there is none, and refuses places that are not safe. */
export async function prepareStore(path: string): Promise<void> {
  await makeLocalFolder(dirname(path));
  try {
    if (!(await exists(path))) await makeDatabase(path);
    await refuseForeign(path);
  } catch (error) {
    throw toFolderError(toStoreError(error, path), path);
  }
  await refuseEmptied(path);
}

/**
 * Makes a database that has its first page before it has its name: a store that is empty has lost what it had.
 *
 * The file is made before SQLite opens it, so that it is never readable by others, not even for a moment.
 */
async function makeDatabase(path: string): Promise<void> {
  await refuseLoneWal(path);
  const draft = await makeTempPath(path);
  try {
    await fill(draft);
    // Of several that make it at once, one does.
    await nameFile(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
}

async function fill(draft: string): Promise<void> {
  // Closed before the file has its name: that would lose the locks of a connection that this process has opened since.
  const file = await open(draft, "wx", 0o600);
  try {
    const db = new DatabaseSync(draft);
    try {
      // Without a journal in a file, it leaves nothing beside the draft should we be killed.
      db.exec("PRAGMA journal_mode = MEMORY; PRAGMA page_size = 8192");
      db.exec(`PRAGMA application_id = ${applicationId}`);
    } finally {
      db.close();
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
