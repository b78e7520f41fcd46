import { rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { changeExcludeList } from "../git/exclude-list.ts";
import { AppError, conflictError, isSystemError } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { FileError, writeFailed } from "../lib/file-error.ts";
import { readText } from "../lib/read-text.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import { makeFolder } from "../storage/home-folder.ts";
import type { FileChange, ListFacts } from "./file-change.ts";

/** Makes a change, so that a reader sees all of the old or all of the new; refuses when it is not the old any more. */
export async function applyChange(change: FileChange): Promise<void> {
  const { path, before, after } = change;
  if (change.list !== undefined) await applyToList(change, change.list);
  else if ((await readText(path)) !== before) throw changedMeanwhile(path);
  else if (after !== undefined) await replaceFile(path, after, change.mode);
  else await removeFile(change);
}

async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  await makeFolder(dirname(path)).catch((error: unknown) => {
    // It speaks of the store, which is elsewhere.
    throw writeFailed(path, error instanceof AppError && error.cause !== undefined ? error.cause : error);
  });
  await writeFileAtomically(path, text, { mode });
}

async function removeFile({ path, folders = [] }: FileChange): Promise<void> {
  try {
    // Not `rm`, which takes a file that it may not remove for a folder.
    await unlessGone(unlink(path));
    await removeEmpty(folders);
  } catch (error) {
    throw isSystemError(error, "EPERM", "EACCES") ? notRemoved(path, error) : writeFailed(path, error);
  }
}

function notRemoved(path: string, cause: unknown): FileError {
  return new FileError(`${path} may not be removed.`, path, {
    code: "read-only",
    hint: "Check the permissions of its folder, and whether the file is immutable (`lsattr`). Run the command again: it goes on with what is left.",
    cause,
  });
}

async function applyToList(
  { path, before, after, folders = [] }: FileChange,
  { encoding, isTakenBack }: ListFacts,
): Promise<void> {
  const change = (list: Buffer | undefined) => {
    if (list?.toString(encoding) !== before) throw changedMeanwhile(path);
    return after === undefined ? undefined : Buffer.from(after, encoding);
  };
  await changeExcludeList(path, change, { leavesNoTrace: isTakenBack });
  if (after === undefined) await removeEmpty(folders);
}

/** Somebody may have taken long to consent, and the client writes its settings too. */
export function changedMeanwhile(path: string): AppError {
  return conflictError("file-changed", `${path} has changed meanwhile and was left as it is.`, {
    hint: "Run the command again.",
  });
}

async function removeEmpty(folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders) await rmdir(folder);
  } catch (error) {
    if (!isSystemError(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}
