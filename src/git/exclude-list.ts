import { lstat, mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import {
  FileError,
  readFailed,
  readOnly,
  refuseSpecialFile,
  symlinkRefused,
  writeFailed,
} from "../lib/file-error.ts";
import { acquireLock } from "../lib/file-lock.ts";
import { lockFileOf } from "../lib/lock-file.ts";
import { unlessGone } from "../lib/unless-gone.ts";

/** Returns the list by which a repository and all its work trees leave files out of commits, and which is in none. */
export function locateExcludeList(commonFolder: string): string {
  return join(commonFolder, "info", "exclude");
}

/** Returns what a list holds, also through a link, as git reads it; undefined where there is none. */
export async function readExcludeList(path: string): Promise<Buffer | undefined> {
  try {
    const stats = await unlessGone(stat(path));
    if (stats === undefined) return undefined;
    // A pipe would be waited for without end.
    refuseSpecialFile(path, stats);
    return await unlessGone(readFile(path));
  } catch (error) {
    throw readFailed(path, error);
  }
}

/**
 * Refuses a list that must not be written: one that is a link or lies in one, since it is somebody's list for other
 * repositories too, and one that its owner has made read-only.
 *
 * Asks for the permissions and not whether it can be written: root always can, and so can whoever may write the folder.
 */
export async function refuseUnwritable(path: string): Promise<void> {
  try {
    const folder = dirname(path);
    const folderStats = await unlessGone(lstat(folder));
    if (folderStats?.isSymbolicLink() === true) throw symlinkRefused(folder);
    if (folderStats?.isDirectory() === false) throw notAFolder(folder);
    const list = await unlessGone(lstat(path));
    if (list !== undefined) refuseSpecialFile(path, list);
    const above = folderStats ?? (await lstat(dirname(folder)));
    for (const { mode } of [above, ...(list === undefined ? [] : [list])])
      if ((mode & 0o222) === 0) throw readOnly(path);
  } catch (error) {
    throw writeFailed(path, error);
  }
}

/** How a list is changed. */
interface ListChange {
  /** Whether the file goes too on which the lock stands. */
  readonly leavesNoTrace?: boolean;
}

/**
 * Changes a list while nobody else of us does, so that a reader sees all of the old or all of the new.
 *
 * `change` is given what the list holds and returns what it is to hold; undefined where there is none, or is to be none.
 */
export async function changeExcludeList(
  path: string,
  change: (list: Buffer | undefined) => Buffer | undefined,
  { leavesNoTrace = false }: ListChange = {},
): Promise<void> {
  await refuseUnwritable(path);
  await makeFolder(path);
  const lock = await acquireLock(path);
  try {
    // It may have become a link while we waited.
    await refuseUnwritable(path);
    const after = change(await readExcludeList(path));
    if (after !== undefined) await writeFileAtomically(path, after, { mode: 0o644 });
    else await rm(path, { force: true });
    // While it is ours: whoever waits for it sees that it is another file than the one that can be found.
    if (leavesNoTrace) await rm(lockFileOf(path), { force: true });
  } catch (error) {
    throw writeFailed(path, error);
  } finally {
    await lock.release();
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(dirname(path));
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw writeFailed(path, error);
  }
}

function notAFolder(path: string): FileError {
  return new FileError(`${path} is not a folder.`, path, {
    code: "not-a-folder",
    hint: "Move away what is there.",
  });
}
