import { lstat, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError, isSystemError } from "../lib/app-error.ts";
import { syncFolder } from "../lib/sync-folder.ts";
import { StoreFailed, StoreIsForeign, StoreIsFull, StoreIsReadOnly } from "./store-errors.ts";

/** Makes a folder (0700) where there is none, and refuses one of another user. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncFolder(dirname(made));
    await refuseForeign(folder);
  } catch (error) {
    throw toFolderError(error, folder);
  }
}

/** Throws when a file or folder belongs to another user: what root writes there, its owner could not write any more. */
export async function refuseForeign(path: string): Promise<void> {
  const uid = process.getuid?.();
  if (uid !== undefined && (await stat(path)).uid !== uid) throw new StoreIsForeign(path);
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
  if (isSystemError(error, "EACCES", "EPERM", "EROFS")) return new StoreIsReadOnly(path, error);
  if (isSystemError(error, "ENOSPC", "EDQUOT", "EFBIG")) return new StoreIsFull(path, error);
  return new StoreFailed(path, error.message, error);
}
