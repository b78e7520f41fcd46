import { isUtf8 } from "node:buffer";
import { readFile, rm, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { readFailed, readOnly, writeFailed } from "../../lib/file-error.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { makeFolder } from "../../storage/home-folder.ts";

/** What is to become of one file. */
export interface FileChange {
  readonly path: string;
  /** What it holds; undefined where there is none. */
  readonly before: string | undefined;
  /** What it will hold; undefined when it will be gone. */
  readonly after: string | undefined;
  /** Folders that go with the file when nothing else is in them, the innermost first. */
  readonly folders?: readonly string[];
}

/** Returns the text of a file; undefined where there is none. What would not come out as it went in is refused. */
export async function readText(path: string): Promise<string | undefined> {
  const bytes = await unlessGone(readFile(path)).catch((error: unknown) => {
    throw readFailed(path, error);
  });
  if (bytes === undefined || isUtf8(bytes)) return bytes?.toString("utf8");
  throw new AppError(`${path} is not UTF-8 and was left as it is.`, {
    kind: "config",
    code: "not-utf8",
    hint: "Convert the file to UTF-8, and run the command again.",
  });
}

/**
 * Refuses a change of a file that its owner has made read-only; to replace it would be to overlook that.
 *
 * Asks for the permissions and not whether it can be written: root always can, and so can whoever may write the folder.
 */
export async function refuseReadOnly({ path, before, after }: FileChange): Promise<void> {
  if (before === undefined || before === after) return;
  const stats = await unlessGone(stat(path));
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw readOnly(path);
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
export async function applyChange({ path, before, after, folders = [] }: FileChange): Promise<void> {
  if ((await readText(path)) !== before) throw changedMeanwhile(path);
  if (after !== undefined) {
    await makeFolder(dirname(path)).catch((error: unknown) => {
      // It speaks of the store, which is elsewhere.
      throw writeFailed(path, error instanceof AppError && error.cause !== undefined ? error.cause : error);
    });
    return writeFileAtomically(path, after);
  }
  try {
    await rm(path, { force: true });
    for (const folder of folders) await removeEmpty(folder);
  } catch (error) {
    throw writeFailed(path, error);
  }
}

/** Somebody may have taken long to consent, and the client writes its settings too. */
function changedMeanwhile(path: string): AppError {
  return new AppError(`${path} has changed meanwhile and was left as it is.`, {
    kind: "conflict",
    code: "file-changed",
    hint: "Run the command again.",
  });
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!isSystemError(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}
