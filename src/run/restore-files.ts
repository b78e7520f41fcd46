import { mkdir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { readGitFacts } from "../git/git-facts.ts";
import type { GitRun } from "../git/git-run.ts";
import { type AppError, usageError } from "../lib/app-error.ts";
import { isInside } from "../lib/resolve-inside.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import { fieldOf } from "../sessions/tool-runs.ts";
import { hasCommit } from "../work/list-trees.ts";
import { openTrees } from "../work/open-trees.ts";
import { restoreTree } from "../work/restore-tree.ts";
import { restoreWorktree } from "../work/restore-worktree.ts";
import type { RoundEnd } from "./fork-at-round.ts";
import { listLeftOut } from "./list-left-out.ts";
import type { RestoredRound } from "./restored-round.ts";

/** Where the files of a round are wanted: nowhere, in the folder of the run, or in a new work tree. */
export type FilesWish = "leave" | "restore" | NewWorktree;

interface NewWorktree {
  /** Where it is made: nothing may be there yet. */
  readonly worktree: string;
  /** A folder of the repository, in whose place the run works in the new work tree; its own unless given. */
  readonly folder?: string;
}

/** Where a run goes on, and where it has worked. */
interface RestorePlace {
  readonly cwd: string;
  readonly env: GitRun["env"];
  /** The folder that it has worked in, which may be gone, or on another machine. */
  readonly workDir: string;
}

/** The folder that the run works in then, and what was written. */
export interface RestoredFiles {
  readonly cwd: string;
  readonly files: RestoredRound | undefined;
}

/** Brings the files back as they were after a round, where that is wanted; throws before anything is written where it cannot be. */
export async function restoreFiles(
  { cwd, env, workDir }: RestorePlace,
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
  const leftOut = listLeftOut(data.files);
  if (wish === "restore") return { cwd, files: { ...(await restoreTree(repository, commit)), leftOut } };
  const files = { ...(await restoreWorktree(repository, commit, wish.worktree)), leftOut };
  // A run that worked in a folder of the repository works in the same folder of the new work tree.
  const own = wish.folder ?? workDir;
  const below = (await findBelow(repository.root, own)) ?? (await findBelow(repository.root, cwd));
  const folder = join(await realpath(wish.worktree), below ?? "");
  await mkdir(folder, { recursive: true });
  return { cwd: folder, files };
}

/** Returns where a folder is below the top of a repository or of another work tree of it; undefined where it is elsewhere. */
async function findBelow(root: string, folder: string): Promise<string | undefined> {
  const found = await unlessGone(realpath(folder));
  if (found === undefined)
    return isAbsolute(folder) && isInside(root, folder) ? relative(root, folder) : undefined;
  const [here, there] = await Promise.all([readGitFacts(root), readGitFacts(found)]);
  if (there === undefined || there.commonFolder !== here?.commonFolder) return undefined;
  return relative(await realpath(there.root), found);
}

function notKept(round: number, what: string): AppError {
  return usageError("no-files-kept", `The files after round ${round} ${what}.`, {
    hint: "Fork without them, or do it in the repository in which the run has worked.",
  });
}
