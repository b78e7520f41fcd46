import { constants, copyFile, link, rename, rm, stat, utimes } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isSystemError } from "../lib/app-error.ts";
import { writeFailed } from "../lib/file-error.ts";
import { syncFile } from "../lib/sync-folder.ts";
import { unlessGone } from "../lib/unless-gone.ts";

/** By what one knows that an index is still the same file with the same content. */
export type IndexMark = string;

/** Returns the mark of an index; one that is not there has one too. */
export async function markIndex(path: string): Promise<IndexMark> {
  const stats = await unlessGone(stat(path, { bigint: true }));
  return stats === undefined ? "none" : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

/** How the index of the user has been replaced: it was, it has changed meanwhile, or another git is at it. */
export type Swap = "swapped" | "changed" | "busy";

const [tries, pauseMs] = [50, 40];

/**
 * Puts an index in the place of another that is still as it was, by the lock that git itself uses.
 *
 * A process that is killed in the middle may leave that lock, which is then the same file as `from`.
 */
export async function swapIndex(from: string, to: string, mark: IndexMark): Promise<Swap> {
  const lock = `${to}.lock`;
  await syncFile(from);
  for (let tried = 0; !(await takeLock(from, lock)); tried += 1) {
    if (tried === tries) return "busy";
    await sleep(pauseMs);
  }
  try {
    if ((await markIndex(to)) !== mark) {
      await rm(lock, { force: true });
      return "changed";
    }
    await rename(lock, to);
    return "swapped";
  } catch (error) {
    await rm(lock, { force: true });
    throw writeFailed(to, error);
  }
}

async function takeLock(from: string, lock: string): Promise<boolean> {
  try {
    await link(from, lock);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    if (!isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"))
      throw writeFailed(lock, error);
    return copyToLock(from, lock);
  }
}

/** Takes the lock on a file system that has no hard links. */
async function copyToLock(from: string, lock: string): Promise<boolean> {
  try {
    await copyIndex(from, lock);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * Copies an index to where nothing is yet.
 *
 * By the time of its index git knows which files may have changed unseen in the same moment. A later time would hide
 * them, and an earlier one only costs a second look.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtimeMs } = await stat(from);
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await utimes(to, atime, (Math.floor(mtimeMs) - 1) / 1000);
  } catch (error) {
    // That there is no index, or a lock already, is for the caller to judge.
    throw isSystemError(error, "ENOENT", "EEXIST") ? error : writeFailed(to, error);
  }
}
