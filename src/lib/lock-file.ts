import {
  type BigIntStats,
  closeSync,
  constants,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSystemError } from "./app-error.ts";
import { makeTempName } from "./atomic-file.ts";
import { refuseSpecialFile } from "./file-error.ts";
import { readOwnIdentity } from "./process-identity.ts";
import { systemRandom } from "./uuid-v7.ts";

/** Returns the path of the file whose locks stand for a lock on `path`: `.<name>.carryon-lock` beside it. */
export function lockFileOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.carryon-lock`);
}

/** Returns what lies at the path of a lock file, or undefined if nothing does. Refuses what is not a regular file. */
export function statLockFile(lockFile: string): BigIntStats | undefined {
  const stats = lstatSync(lockFile, { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined) refuseSpecialFile(lockFile, stats);
  return stats;
}

/**
 * Makes an empty lock file that only its owner may open, unless there is one.
 *
 * It gets its name when it is already closed, because closing a file drops all locks that the process has on it,
 * and another thread may have taken one as soon as the name is there.
 */
export async function ensureLockFile(lockFile: string): Promise<void> {
  if (statLockFile(lockFile) !== undefined) return;
  const name = makeTempName(basename(lockFile), await readOwnIdentity(), systemRandom);
  const temp = join(dirname(lockFile), name);
  closeSync(openSync(temp, "wx", 0o600));
  try {
    linkSync(temp, lockFile);
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return;
    if (!isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    makeWithoutLinks(lockFile);
  } finally {
    unlinkSync(temp);
  }
}

/** Makes the file on a file system that has no hard links. */
function makeWithoutLinks(lockFile: string): void {
  try {
    closeSync(openSync(lockFile, "wx", 0o600));
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
  }
}

/**
 * Empties a lock file that something has written into.
 *
 * It stays the same file, so a process that holds the lock goes on holding it. Must not be called while this
 * process holds it, in any of its threads: that would drop the lock.
 */
export function emptyLockFile(lockFile: string): void {
  const descriptor = openSync(lockFile, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    ftruncateSync(descriptor, 0);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives a lock file a second name, by which it stays the same file whatever becomes of the first. */
export function linkLockFile(lockFile: string, secondName: string): "linked" | "gone" | "refused" {
  try {
    linkSync(lockFile, secondName);
    return "linked";
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return "gone";
    if (isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) return "refused";
    throw error;
  }
}

/** Removes the second name of a lock file, unless a sweep was faster. */
export function unlinkLockFile(secondName: string): void {
  try {
    unlinkSync(secondName);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

/** Removes a lock file that is the one it is taken for. */
export function removeLockFile(lockFile: string, isSame: (stats: BigIntStats) => boolean): void {
  try {
    const stats = statLockFile(lockFile);
    if (stats !== undefined && isSame(stats)) unlinkSync(lockFile);
  } catch {
    // What was to be done under the lock is done; a lock file that has to stay is only untidy.
  }
}
