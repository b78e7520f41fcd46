import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Returns the work trees of a repository, by the folder that they share. One that cannot be read is left out. */
export function listWorkTrees(commonFolder: string): readonly string[] {
  const main = basename(commonFolder) === ".git" ? [dirname(commonFolder)] : [];
  return [...main, ...listNames(join(commonFolder, "worktrees")).flatMap(readTree)];
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // Most repositories have one tree, and no such folder.
    return [];
  }
}

/** Each tree is named by the `.git` file in it. */
function readTree(folder: string): readonly string[] {
  try {
    return [dirname(readFileSync(join(folder, "gitdir"), "utf8").trimEnd())];
  } catch {
    // It is being made, or was left over.
    return [];
  }
}
