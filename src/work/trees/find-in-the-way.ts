import { lstatSync, readdirSync } from "node:fs";
import { type GitPath, locateFile } from "../../git/git-path.ts";
import { mustGit, type TreeIndex } from "./tree-git.ts";

/**
 * Returns the files that lie where new ones are to be written, and that the index does not have.
 *
 * Git itself would overwrite those that it ignores.
 */
export async function findInTheWay(
  root: string,
  { run }: TreeIndex,
  added: readonly GitPath[],
): Promise<readonly GitPath[]> {
  if (added.length === 0) return [];
  const known = new Set((await mustGit(run, ["ls-files", "-z"])).split("\0"));
  const found = added.flatMap((path) => filesAt(root, path)).filter((path) => !known.has(path));
  return [...new Set(found)];
}

/** Returns the file at a path, those in the folder there, or what stands where a folder of it should be. */
function filesAt(root: string, path: GitPath): readonly GitPath[] {
  const names = path.split("/");
  for (let depth = 1; depth <= names.length; depth += 1) {
    const above = names.slice(0, depth).join("/") as GitPath;
    // A link is not followed: what it leads to is not in this work tree.
    const stats = lstatSync(locateFile(root, above), { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (!stats.isDirectory()) return [above];
  }
  return filesIn(root, path);
}

function filesIn(root: string, folder: GitPath): readonly GitPath[] {
  const entries = readdirSync(locateFile(root, folder), { encoding: "buffer", withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name.toString("latin1")}` as GitPath;
    return entry.isDirectory() ? filesIn(root, path) : [path];
  });
}
