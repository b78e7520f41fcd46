import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Returns the folder of the repository that a folder is in, or the folder itself; asks nobody, so that it costs little. */
export async function locateRoot(cwd: string): Promise<string> {
  const start = await realpath(cwd);
  return (await findRepository(start)) ?? start;
}

/** Returns the folder of the repository that a folder is in, which is given without links; undefined where it is in none. */
export async function findRepository(start: string): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    if (await isThere(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
