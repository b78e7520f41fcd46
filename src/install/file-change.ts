import { rmdir, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { changeExcludeList } from "../git/exclude-list.ts";
import { AppError, conflictError, isSystemError, unlessGone } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { FileError, readOnly, writeFailed } from "../lib/file-error.ts";
import { readText } from "../lib/read-text.ts";
import { makeFolder } from "../storage/home-folder.ts";

/** What is to become of one file. */
export interface FileChange {
  readonly path: string;
  /** What it holds; undefined where there is none. */
  readonly before: string | undefined;
  /** What it will hold; undefined when it will be gone. */
  readonly after: string | undefined;
  /** The permissions of a file that is new; for its owner alone to read unless told. */
  readonly mode?: number;
  /** Folders that go with the file when nothing else is in them, the innermost first. */
  readonly folders?: readonly string[];
  /** Set for a list of what git leaves out: others change it too, under its lock, and it need not be UTF-8. */
  readonly list?: ListFacts;
}

/** What is to be known of a list of what git leaves out. */
interface ListFacts {
  /** How its bytes are written as text. */
  readonly encoding: "utf8" | "latin1";
  /** Whether what we put there is taken back, and nothing of us is to be left beside it. */
  readonly isTakenBack: boolean;
}

/** Refuses changes of files that their owner has made read-only, and names all of them; to replace one would be to overlook that. */
export async function refuseReadOnly(changes: readonly FileChange[]): Promise<void> {
  const paths: string[] = [];
  for (const change of changes)
    if ((await isReadOnly(change)) && !paths.includes(change.path)) paths.push(change.path);
  const [first, ...others] = paths;
  if (first === undefined) return;
  if (others.length === 0) throw readOnly(first);
  throw new FileError(`These files may not be written: ${paths.join(", ")}.`, first, {
    code: "read-only",
    hint: "Check the permissions of the files and of their folders.",
  });
}

/** Asks for the permissions and not whether it can be written: root always can, and so can whoever may write the folder. */
async function isReadOnly({ path, before, after }: FileChange): Promise<boolean> {
  if (before === undefined || before === after) return false;
  const stats = await unlessGone(stat(path));
  return stats !== undefined && (stats.mode & 0o222) === 0;
}

/** Says in an error of what was read which file it was in. */
export function inFile<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const { kind, code, message } = cause;
    const hint = "Correct the file, and run the command again.";
    throw new AppError(`${path} was left as it is: ${message}`, { kind, code, hint, cause });
  }
}

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

/**
 * Takes an installation out of the record, once everything that the record tells of is taken back; returns why it could
 * not. As long as it stands there, taking back can be tried again.
 */
export async function forgetInstall(record: FileChange): Promise<AppError | undefined> {
  try {
    await refuseReadOnly([record]);
    await applyChange(record);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const { kind, code, message } = cause;
    const hint =
      "Make that possible, such as with the permissions of the file, and run `carryon uninit` again.";
    return new AppError(`${message} It still names what was installed here.`, { kind, code, hint, cause });
  }
}
