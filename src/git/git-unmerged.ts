import { askGit } from "./git.ts";

/** Returns the files in which a merge has left conflicts, from the top of the work tree; undefined where git does not tell. */
export async function readUnmerged(root: string): Promise<readonly string[] | undefined> {
  const { code, stdout } = await askGit(root, ["ls-files", "--unmerged", "-z"]);
  if (code !== 0) return undefined;
  // Each file is listed with its common, their and our version, and its name stands after a tab.
  const names = stdout.split("\0").map((line) => line.slice(line.indexOf("\t") + 1));
  return [...new Set(names)].filter((name) => name !== "");
}
