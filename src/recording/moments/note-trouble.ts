import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../../lib/app-error.ts";
import { unlessGone } from "../../lib/unless-gone.ts";

/** A log that nobody reads must not fill the disk. */
const logLimit = 1_048_576;

const unwritable = ["EACCES", "EDQUOT", "EIO", "EISDIR", "ENOENT", "ENOSPC", "EPERM", "EROFS"];

/** Adds one line to `carryon.log` in the home folder: a sync that a hook has started says nothing to anybody. */
export async function noteTrouble(home: string, what: string, now: Date): Promise<void> {
  const path = join(home, "carryon.log");
  const line = what.slice(0, 2000).replace(/\s+/g, " ");
  try {
    if (((await unlessGone(stat(path)))?.size ?? 0) > logLimit) return;
    await appendFile(path, `${now.toISOString()} sync: ${line}\n`, { mode: 0o600 });
  } catch (error) {
    // Where the log cannot be written either, the report is all that is left.
    if (!isSystemError(error, ...unwritable)) throw error;
  }
}
