import { mkdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { fieldOf } from "../../conversation/tool-runs.ts";
import { AppError } from "../../lib/app-error.ts";
import type { GitRun } from "../../work/run-git.ts";
import { hasCommit } from "../../work/trees/list-trees.ts";
import { openTrees } from "../../work/trees/open-trees.ts";
import { type RestoredTree, restoreTree } from "../../work/trees/restore-tree.ts";
import { restoreWorktree } from "../../work/trees/restore-worktree.ts";
import type { RoundEnd } from "./fork-at-round.ts";

/** Where the files of a round are wanted: nowhere, in the folder of the run, or in a new work tree. */
export type FilesWish = "leave" | "restore" | { readonly worktree: string };

/** The folder that the run works in then, and what was written. */
export interface RestoredFiles {
  readonly cwd: string;
  readonly files: RestoredTree | undefined;
}

/** Brings the files back as they were after a round, where that is wanted; throws before anything is written where it cannot be. */
export async function restoreFiles(
  { cwd, env }: { readonly cwd: string; readonly env: GitRun["env"] },
  round: RoundEnd,
  wish: FilesWish,
): Promise<RestoredFiles> {
  if (wish === "leave") return { cwd, files: undefined };
  const { number, data } = round;
  const commit = fieldOf(data.files, "commit");
  const reason = fieldOf(data.files, "reason");
  if (typeof commit !== "string")
    throw notKept(number, typeof reason === "string" ? `were not kept: ${reason}` : "were not kept");
  const trees = await openTrees(cwd, env);
  if (trees.type === "none") throw notKept(number, `cannot be restored here: ${trees.reason}`);
  const { repository } = trees;
  if (!(await hasCommit(repository.run, commit))) throw notKept(number, "are not in this repository");
  if (wish === "restore") return { cwd, files: await restoreTree(repository, commit) };
  const files = await restoreWorktree(repository, commit, wish.worktree);
  // A run that worked in a folder of the repository works in the same folder of the new work tree.
  const folder = join(await realpath(wish.worktree), relative(repository.root, await realpath(cwd)));
  await mkdir(folder, { recursive: true });
  return { cwd: folder, files };
}

function notKept(round: number, what: string): AppError {
  return new AppError(`The files after round ${round} ${what}.`, {
    ...{ kind: "usage", code: "no-files-kept" },
    hint: "Fork without them, or do it in the repository in which the run has worked.",
  });
}
