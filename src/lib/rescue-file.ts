import { lstat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { AppError, unlessGone } from "./app-error.ts";
import { writeFileAtomically } from "./atomic-file.ts";

/** The store went away under a process, which has written what it had to a file of its own. */
export class SessionRescued extends AppError {
  readonly file: string;

  constructor({ message, kind, code }: AppError, file: string, hint: string) {
    // Of a file that was deleted or emptied, the WAL may be left.
    const first =
      "If the store is refused, move what is left of it aside first: `carryon doctor --move-aside`";
    super(`${message} What was said is in ${file}.`, { kind, code, hint: `${first}\n${hint}` });
    this.file = file;
  }
}

/** Tells whether an error says that the store was deleted, replaced or damaged under this process: trying again does not help. */
export function isStoreLost(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === "store-gone" || error.code === "store-corrupt");
}

/** Returns the folders that may take what would be lost: the one above the home, then those for temporary files and for the work. */
export function listRescueFolders(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): readonly string[] {
  return [dirname(home), env.TMPDIR ?? env.TEMP ?? "/tmp", cwd];
}

/** Writes a text to a new file for its owner alone, in the first folder that takes it; returns its path, undefined where none does. */
export async function writeRescueFile(
  folders: readonly string[],
  name: string,
  text: string,
): Promise<string | undefined> {
  for (const folder of folders) {
    try {
      const path = await findFreeName(join(folder, name));
      await writeFileAtomically(path, text, { isPrivate: true });
      return path;
    } catch (error) {
      // A folder that is gone, full or read-only: the next one may take it.
      if (!(error instanceof AppError) && !(error instanceof Error && "syscall" in error)) throw error;
    }
  }
  return undefined;
}

async function findFreeName(path: string): Promise<string> {
  const end = extname(path);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : `${path.slice(0, -end.length)}-${number}${end}`;
    if ((await unlessGone(lstat(free))) === undefined) return free;
  }
}
