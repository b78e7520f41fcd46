import { accessSync, constants, lstatSync, type Stats, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../../lib/app-error.ts";
import type { FileProblem } from "./problem.ts";

/** The user who looks; undefined on systems that know users in another way. */
type User = number | undefined;

/** Bytes without which none of the files can be written anew. */
const leastRoom = 65_536;

/**
 * Returns what is wrong with a file that we write, apart from what stands in it: that it is somebody else's, or that it is
 * read-only. It counts all the same, and is replaced where its folder allows that.
 */
export function inspectFile(path: string, user: User = process.getuid?.()): readonly FileProblem[] {
  const stats = lookAt(path, lstatSync);
  if (stats === undefined || !stats.isFile()) return [];
  // Of one that may not even be read, reading it tells.
  const isReadOnly = mayRead(path) && ((stats.mode & 0o200) === 0 || mayNotWrite(path) !== undefined);
  const hint =
    "What it says counts; the next change puts a new file in its place, if its folder allows that.";
  return [...findOwner(path, stats, user), ...(isReadOnly ? [{ path, problem: "is read-only", hint }] : [])];
}

/** Returns what is wrong with a file that is only read: that it is of a user who could change it behind one's back. */
export function inspectSource(path: string, user: User = process.getuid?.()): readonly FileProblem[] {
  const stats = lookAt(path, statSync);
  // The administrator of a machine may give files to all of its users.
  return stats === undefined || stats.uid === 0 ? [] : findOwner(path, stats, user);
}

/** Returns what is in the way of writing below a folder, which need not be there yet. */
export function inspectFolder(path: string): readonly FileProblem[] {
  const folder = nearest(path);
  const refusal = mayNotWrite(folder);
  if (refusal !== undefined) {
    const hint =
      "Nothing new is kept there and no work is stopped; check the permissions, or how it is mounted.";
    return [{ path: folder, problem: refusal, hint }];
  }
  if (hasRoom(folder)) return [];
  const hint = "Nothing new is kept there and no work is stopped; make room on the disk.";
  return [{ path: folder, problem: "is on a disk that is full", hint }];
}

function findOwner(path: string, { uid }: Stats, user: User): readonly FileProblem[] {
  if (user === undefined || uid === user) return [];
  const hint =
    "What it says counts; make sure that it is meant for you, and give it to yourself or move it away.";
  return [{ path, problem: `belongs to another user, of the number ${uid}`, hint }];
}

function lookAt(path: string, look: typeof statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch {
    // Whatever stands in the way, reading the file tells it.
    return undefined;
  }
}

/** Returns the folder itself, or the one on the way to it that is there. */
function nearest(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || lookAt(folder, statSync) !== undefined ? folder : nearest(parent);
}

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function mayNotWrite(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    if (isSystemError(error, "EROFS")) return "is on a disk that can only be read";
    return isSystemError(error, "EACCES", "EPERM") ? "may not be written" : undefined;
  }
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize >= leastRoom && (files === 0 || ffree > 0);
  } catch {
    // Not every disk says it; a write that fails is told when it happens.
    return true;
  }
}
