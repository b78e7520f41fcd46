import { open } from "node:fs/promises";
import { isSystemError } from "./app-error.ts";

/**
 * Makes the names in a folder durable: without it, a file that was made or renamed may be gone after a power cut.
 *
 * Windows has no such call for folders and keeps names by itself.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    await syncFile(path);
  } catch (error) {
    if (process.platform === "win32" && isSystemError(error, "EISDIR", "EPERM", "EINVAL", "EACCES")) return;
    throw error;
  }
}

/** Makes the content of a file durable, whoever wrote it. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
