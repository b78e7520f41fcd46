import { existsSync } from "node:fs";
import { link, rename } from "node:fs/promises";
import { isSystemError } from "../lib/app-error.ts";

/**
 * Gives a finished file a name, and tells whether it did: a file that has the name already is never replaced.
 *
 * On a file system without hard links (a USB stick), two that do so in the same moment may both succeed; the later
 * one stays.
 */
export async function nameFile(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    if (!isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    if (existsSync(path)) return false;
    await rename(draft, path);
    return true;
  }
}
