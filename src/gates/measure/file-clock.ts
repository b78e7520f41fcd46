import { lstatSync, mkdirSync, statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../../lib/app-error.ts";
import { linkedFolderRefused } from "../../lib/file-error.ts";

/** A moment on two clocks, in nanoseconds. */
export interface Moment {
  /** The time that a file would get that is written now. */
  readonly at: bigint;
  /** The time since the machine was started, which nobody can set. */
  readonly up: bigint;
}

/** How far the time of a file may be behind: kernels give files the time of their last tick. */
export const grace = 20_000_000n;

/**
 * Reads the clock by which files get their times, from a folder of ours, which is made if need be. The clock of this
 * process may be another one: of a container, of a machine whose disk is elsewhere.
 */
export function readMoment(folder: string): Moment {
  return { at: readFileTime(folder), up: process.hrtime.bigint() };
}

function readFileTime(folder: string): bigint {
  try {
    makeOwnFolder(folder);
    const { atime, mtime } = statSync(folder);
    // The time of the change itself is the kernel's, whatever is written.
    utimesSync(folder, atime, mtime);
    return statSync(folder, { bigint: true }).ctimeNs;
  } catch (error) {
    if (!isSystemError(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST", "ENOENT"))
      throw error;
    return BigInt(Date.now()) * 1_000_000n;
  }
}

/**
 * Returns the time from which a file was written after a moment, going by the time that it bears; 0 where that cannot
 * be told. The clock may have been set back in between: files then bear times from before the moment.
 */
export function writtenFrom(before: Moment, now: Moment): bigint {
  const [passed, shown] = [now.up - before.up, now.at - before.at];
  // The machine was started again.
  if (passed < 0n) return 0n;
  const setBack = passed > shown ? passed - shown : 0n;
  return before.at - setBack - grace;
}

/** Makes a folder of ours and the one around it. Refuses a link in their place: what that leads to is somebody else's. */
export function makeOwnFolder(folder: string): void {
  for (const path of [dirname(folder), folder]) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
    else if (stats.isSymbolicLink()) throw linkedFolderRefused(path);
  }
}
