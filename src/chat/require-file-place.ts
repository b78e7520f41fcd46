import { lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type AppError, unlessGone, usageError } from "../lib/app-error.ts";
import { refuseSpecialFile } from "../lib/file-error.ts";
import { refuseOwnFiles } from "../storage/refuse-own-files.ts";

/** Makes sure, before anything is done, that a session file can be written: a link, a folder or a file of the home is refused. */
export async function requireFilePlace(home: string, path: string): Promise<void> {
  await refuseOwnFiles(home, path);
  if ((await unlessGone(stat(dirname(path))))?.isDirectory() !== true)
    throw badSessionFile(
      `The folder of ${path} does not exist.`,
      "Make the folder first, or choose another file.",
    );
  const stats = await unlessGone(lstat(path));
  if (stats !== undefined) refuseSpecialFile(path, stats);
}

/** Says why a file cannot hold the session. */
export function badSessionFile(message: string, hint: string): AppError {
  return usageError("bad-session-file", message, { hint });
}
