import { askGit } from "./run/ask-git.ts";

/** Returns the branches that there are, those without a commit in any work tree among them; undefined where git does not say. */
export async function listBranches(root: string): Promise<ReadonlySet<string> | undefined> {
  const refs = await askGit(root, ["for-each-ref", "--format=%(refname)", "refs/heads"]);
  const trees = await askGit(root, ["worktree", "list", "--porcelain"]);
  if (refs.code !== 0 || trees.code !== 0) return undefined;
  const names = `${refs.stdout}\n${trees.stdout}`.matchAll(/^(?:branch )?refs\/heads\/(.+)$/gm);
  return new Set([...names].map(([, name = ""]) => name));
}

/** Tells whether a branch of a remote, as last heard of, has the commit that is checked out. */
export async function isHeadOnRemote(root: string): Promise<boolean> {
  const question = ["for-each-ref", "--contains=HEAD", "--count=1", "refs/remotes"];
  const { code, stdout } = await askGit(root, question);
  return code === 0 && stdout !== "";
}
