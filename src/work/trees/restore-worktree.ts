import { runGit } from "../run-git.ts";
import { openRepository, type Repository } from "../save/repository.ts";
import { notRestored, type RestoredTree, readParent, restoreTree } from "./restore-tree.ts";

/**
 * Makes a new work tree, at the commit that was checked out in a round, and writes the files of that round into it.
 *
 * Its HEAD is detached. Nothing of it is left when that fails.
 */
export async function restoreWorktree(
  repository: Repository,
  commit: string,
  path: string,
): Promise<RestoredTree> {
  const { run } = repository;
  // Before the first commit there is none to begin with but that of the round itself.
  const start = (await readParent(repository, commit)) ?? commit;
  const made = await runGit(run, ["worktree", "add", "--quiet", "--detach", path, start]);
  if (made.code !== 0) throw notRestored(made.stderr.trim());
  try {
    const { signal } = run;
    return await restoreTree(await openRepository(path, run.env, { mayAsk: false, signal }), commit);
  } catch (error) {
    await runGit({ ...run, signal: undefined }, ["worktree", "remove", "--force", path]);
    throw error;
  }
}
