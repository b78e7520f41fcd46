import { lstatSync } from "node:fs";
import { type GitPath, locateFile } from "../../git/git-path.ts";
import { isSystemError } from "../../lib/app-error.ts";
import type { Stamp } from "./tree-mark.ts";

/** What the disk says of a path now. */
export interface Stamped {
  readonly stamp: Stamp;
  /** When the file itself was last changed: its content, its mode or its name. */
  readonly changedAt: bigint;
  readonly isFolder: boolean;
}

const none: Stamped = { stamp: null, changedAt: 0n, isFolder: false };

/** Reads what the disk says of a file; a link is not followed. */
export function readStamp(root: string, path: GitPath): Stamped {
  try {
    const stats = lstatSync(locateFile(root, path), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return none;
    const { size, mtimeNs, ctimeNs, ino } = stats;
    return {
      stamp: `${size} ${mtimeNs} ${ctimeNs} ${ino}`,
      changedAt: ctimeNs,
      isFolder: stats.isDirectory(),
    };
  } catch (error) {
    // What may not be looked at cannot be told from what is gone; that it could be before makes a difference.
    if (isSystemError(error, "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG")) return none;
    throw error;
  }
}

/**
 * Returns a question whether a folder on the way to a path was put there, or changed, since a time. The files of a
 * folder that is moved keep their own times, so that only the folder tells of it.
 */
export function askWhetherPut(root: string, from: bigint): (path: GitPath) => boolean {
  const folders = new Map<GitPath, boolean>();
  const isFolderPut = (path: GitPath): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const isPut = readStamp(root, path).changedAt >= from || isBelowPut(path);
    folders.set(path, isPut);
    return isPut;
  };
  const isBelowPut = (path: GitPath): boolean => {
    const end = path.lastIndexOf("/");
    return end > 0 && isFolderPut(path.slice(0, end) as GitPath);
  };
  return isBelowPut;
}
