import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Returns the folder of the repository that a folder is in, or the folder itself; asks nobody, so that it costs little. */
export async function locateRoot(cwd: string): Promise<string> {
  const start = await realpath(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (await isThere(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
