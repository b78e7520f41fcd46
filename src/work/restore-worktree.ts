import { lstat, readdir } from "node:fs/promises";
import { openRepository, type Repository } from "../git/repository.ts";
import { addWorktree, removeWorktree } from "../git/switch-branch.ts";
import { listTreePaths, readFirstParent } from "../git/tree-index.ts";
import { type AppError, ioError } from "../lib/app-error.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import { notRestored, type RestoredTree, restoreTree } from "./restore-tree.ts";

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
  const parent = await readFirstParent(run, commit);
  // Before the first commit there is none to begin with but that of the round itself.
  const start = parent ?? commit;
  const refusal = await addWorktree(run, path, start);
  if (refusal !== undefined) throw notRestored(refusal);
  try {
    const { signal } = run;
    const restored = await restoreTree(
      await openRepository(path, run.env, { mayAsk: false, signal }),
      commit,
    );
    if (parent !== undefined) return restored;
    return { ...restored, files: (await listTreePaths(run, commit)).length, headThen: restored.head };
  } catch (error) {
    await removeWorktree(run, path);
    throw error;
  }
}

/** Tells whether something is at a path; git takes an empty folder. */
async function isTaken(path: string): Promise<boolean> {
  const stats = await unlessGone(lstat(path));
  return stats !== undefined && !(stats.isDirectory() && (await readdir(path)).length === 0);
}

function thereAlready(path: string): AppError {
  return ioError("not-restored", `The files were not restored: ${path} is there already.`, {
    hint: "Name a folder that is not there yet.",
  });
}
