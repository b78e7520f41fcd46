import { lstat, readdir } from "node:fs/promises";
import { openRepository, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { type AppError, ioError } from "../lib/app-error.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import { notRestored, type RestoredTree, readParent, restoreTree } from "./restore-tree.ts";
import { mustGit } from "./trees/tree-git.ts";

/**
 * Makes a new work tree, at the commit that was checked out in a round, and writes the files of that round into it.
 *
 * Its HEAD is detached, before the first commit at the commit of the round. Nothing of it is left when that fails.
 */
export async function restoreWorktree(
  repository: Repository,
  commit: string,
  path: string,
): Promise<RestoredTree> {
  const { run } = repository;
  if (await isTaken(path)) throw thereAlready(path);
  const parent = await readParent(repository, commit);
  // Before the first commit there is none to begin with but that of the round itself.
  const start = parent ?? commit;
  const made = await runGit(run, ["worktree", "add", "--quiet", "--detach", path, start]);
  if (made.code !== 0) throw notRestored(made.stderr.trim());
  try {
    const { signal } = run;
    const restored = await restoreTree(
      await openRepository(path, run.env, { mayAsk: false, signal }),
      commit,
    );
    if (parent !== undefined) return restored;
    return { ...restored, files: await countFiles(repository, commit), headThen: restored.head };
  } catch (error) {
    await runGit({ ...run, signal: undefined }, ["worktree", "remove", "--force", path]);
    throw error;
  }
}

/** Tells whether something is at a path; git takes an empty folder. */
async function isTaken(path: string): Promise<boolean> {
  const stats = await unlessGone(lstat(path));
  return stats !== undefined && !(stats.isDirectory() && (await readdir(path)).length === 0);
}

async function countFiles({ run }: Repository, commit: string): Promise<number> {
  const names = await mustGit(run, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]);
  return names.split("\0").length - 1;
}

function thereAlready(path: string): AppError {
  return ioError("not-restored", `The files were not restored: ${path} is there already.`, {
    hint: "Name a folder that is not there yet.",
  });
}
