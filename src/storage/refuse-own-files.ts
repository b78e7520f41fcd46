import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { usageError } from "../lib/app-error.ts";

/** The names that Carryon uses in its home folder, in any case: its files, its folders, and what it writes on the way. */
const ownNames: readonly RegExp[] = [
  /^(?:key|history|config\.yaml|carryon\.log)$/,
  /^store\.(?:db|before-restore-)/,
  /^(?:installs|trust|approvals|clients|pushed|remote|deletions)\.json$/,
  /^brief-[0-9a-f-]+\.md$/,
  /^(?:bin|cache|gates|spool)$/,
  /^\..*\.carryon-(?:tmp|lock)/,
];

/** Throws when a file that a command is to write is one of Carryon's own: an export over the store would destroy it. */
export async function refuseOwnFiles(home: string, file: string): Promise<void> {
  const [root, folder] = await Promise.all([home, dirname(file)].map(toRealPath));
  // A path that leads out of the home begins with `..`, which is none of the names.
  const [name = ""] = relative(root ?? home, join(folder ?? "", basename(file))).split(/[\\/]/);
  if (!ownNames.some((own) => own.test(name.toLowerCase()))) return;
  throw usageError("own-file", `${file} is one of Carryon's own files.`, {
    hint: `Choose a file outside of ${home}.`,
  });
}

async function toRealPath(folder: string): Promise<string> {
  // A folder that is not there yet, or may not be entered, is told when the file is written.
  return realpath(folder).catch(() => folder);
}
