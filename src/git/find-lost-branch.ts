import { renderShellWord } from "../lib/shell-word.ts";
import { findCommit } from "./find-commit.ts";
import type { GitRun } from "./git-run.ts";
import { runGit } from "./run/run-git.ts";

/** Where work was saved; nobody has checked it. */
export interface SavedPlace {
  readonly branch: string;
  readonly commit: string | null;
}

/**
 * Returns the command that brings a branch back which is gone while its commit is still here; undefined where it is not.
 *
 * The name stands in a file of the repository: it is quoted, and must be one that git itself would take.
 */
export async function findLostBranch(
  run: GitRun,
  { branch, commit }: SavedPlace,
): Promise<string | undefined> {
  if (commit === null || !(await isBranchName(run, branch))) return undefined;
  const found = await findCommit(run, commit);
  if (found.type !== "commit") return undefined;
  return `git branch ${renderShellWord(branch)} ${commit}`;
}

/** Tells whether a name is that of a branch here, or of one that was fetched from origin. */
export async function isBranch(run: GitRun, name: string): Promise<boolean> {
  if (!(await isBranchName(run, name))) return false;
  for (const ref of [`refs/heads/${name}`, `refs/remotes/origin/${name}`])
    if ((await runGit(run, ["show-ref", "--verify", "--quiet", ref])).code === 0) return true;
  return false;
}

/** Tells whether a text can be the name of a branch, and can be seen as it is. */
async function isBranchName(run: GitRun, name: string): Promise<boolean> {
  // `HEAD` would be taken, and be another thing from then on.
  if (!/^[^\p{C}-][^\p{C}]*$/u.test(name) || name === "HEAD") return false;
  return (await runGit(run, ["check-ref-format", `refs/heads/${name}`])).code === 0;
}
