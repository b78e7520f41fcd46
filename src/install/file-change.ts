import { stat } from "node:fs/promises";
import { AppError } from "../lib/app-error.ts";
import { FileError, readOnly } from "../lib/file-error.ts";
import { unlessGone } from "../lib/unless-gone.ts";

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
export interface ListFacts {
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
