import { lstat } from "node:fs/promises";
import { readOnly, writeFailed } from "../lib/file-error.ts";
import { unlessGone } from "../lib/unless-gone.ts";

/**
 * Refuses a document that its owner has made read-only.
 *
 * Asks for the permissions and not whether it can be written: whoever may write the folder can replace it, and so can
 * root.
 */
export async function refuseReadOnly(path: string): Promise<void> {
  const stats = await unlessGone(lstat(path)).catch((error: unknown) => {
    throw writeFailed(path, error);
  });
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw readOnly(path);
}
