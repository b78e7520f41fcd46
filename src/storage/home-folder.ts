import { lstat, mkdir, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError, configError, isSystemError } from "../lib/app-error.ts";
import { syncFolder } from "../lib/atomic-file.ts";
import { StoreIsFull, storeFailed, storeIsForeign, storeIsReadOnly } from "./store-errors.ts";

/** Makes a folder (0700) where there is none, and refuses one of another user. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    const made = await makeWithParents(folder);
    if (made !== undefined) await syncFolder(dirname(made));
    await refuseForeign(folder);
  } catch (error) {
    throw toFolderError(error, folder);
  }
}

/**
 * Makes a folder and those above it that are missing; returns the uppermost that was made.
 *
 * Not `recursive`: in a place that takes no folders, such as /proc, Node would try for ever.
 */
async function makeWithParents(folder: string): Promise<string | undefined> {
  if (await isFolder(folder)) return undefined;
  const parent = dirname(folder);
  const made = parent === folder ? undefined : await makeWithParents(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isSystemError(error, "EEXIST") || !(await isFolder(folder))) throw error;
  }
  return made ?? folder;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return false;
    throw error;
  }
}

/** Throws when a file or folder belongs to another user: what root writes there, its owner could not write any more. */
export async function refuseForeign(path: string): Promise<void> {
  const uid = process.getuid?.();
  if (uid !== undefined && (await stat(path)).uid !== uid) throw storeIsForeign(path);
}

/** Tells whether there is something at a path; a folder that may not be entered is an error, not an absence. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return false;
    throw toFolderError(error, path);
  }
}

/** Turns what the system says of a path into an error that says who has to act. */
export function toFolderError(error: unknown, path: string): unknown {
  if (error instanceof AppError || !(error instanceof Error && "syscall" in error)) return error;
  if (isSystemError(error, "EACCES", "EPERM", "EROFS")) return storeIsReadOnly(path, error);
  if (isSystemError(error, "ENOSPC", "EDQUOT", "EFBIG")) return new StoreIsFull(path, error);
  if (isSystemError(error, "EEXIST", "ENOTDIR")) return notAFolder(path, error);
  return storeFailed(path, error.message, error);
}

function notAFolder(path: string, cause: Error): AppError {
  return configError("home-not-a-folder", `The store cannot be in ${path}: there is a file in the way.`, {
    hint: "Set CARRYON_HOME to a folder, or to a path at which there is nothing yet.",
    cause,
  });
}

/** File systems whose locks SQLite's WAL cannot rely on: NFS, SMB in its three forms. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** Makes a folder (0700) where there is none, and refuses one of another user or on another machine. */
export async function makeLocalFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  try {
    await refuseNetwork(folder);
  } catch (error) {
    throw toFolderError(error, folder);
  }
}

async function refuseNetwork(folder: string): Promise<void> {
  const { type } = await statfs(folder);
  if (!networkFileSystems.has(type)) return;
  throw configError(
    "store-on-network",
    `${folder} is on a network file system, where a store would not be safe.`,
    {
      hint: "Set CARRYON_HOME to a folder on a local disk; to share sessions between machines, use PostgreSQL.",
    },
  );
}

/** Returns the size of a file; 0 when there is none. */
export async function readSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return 0;
    throw error;
  }
}
