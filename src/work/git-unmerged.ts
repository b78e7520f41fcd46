import { askGit } from "./git.ts";

/** Returns the files in which a merge has left conflicts, from the top of the work tree; undefined where git does not tell. */
export async function readUnmerged(root: string): Promise<readonly string[] | undefined> {
  const { code, stdout } = await askGit(root, ["diff", "--name-only", "--diff-filter=U", "-z"]);
  return code === 0 ? [...new Set(stdout.split("\0"))].filter((name) => name !== "") : undefined;
}
