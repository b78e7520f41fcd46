import { isCommitName, shortOf } from "../../git/find-commit.ts";
import { findLostBranch, isBranch, type SavedPlace } from "../../git/find-lost-branch.ts";
import type { WorkTreeStatus } from "../../git/git-status.ts";
import type { GitRun } from "../../git/run-git.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { WorkState } from "../work-state.ts";
import type { KnownChanges } from "./check-changes.ts";
import type { Validation } from "./validation.ts";

const stay = "or go on here and save again";

/** Where HEAD is, and what git is in the middle of. */
type Here = Pick<WorkTreeStatus, "branch" | "head"> & Pick<KnownChanges, "operation" | "rebased">;

/** Tells whether the branch is another one than was saved. One that is being rebased is where the work goes on. */
export async function checkBranch(
  run: GitRun,
  saved: Pick<WorkState, "branch" | "commit">,
  here: Here,
): Promise<readonly Validation[]> {
  const { branch, commit } = saved;
  // Without a branch and a commit, it was saved outside git.
  if (branch === here.branch || (branch === null && commit === null)) return [];
  if (here.branch === null && branch === here.rebased) return [];
  const message = `${describeHere(here)}, but the work was saved ${describeThen(branch)}.`;
  return [{ code: "BRANCH_MISMATCH", message, action: await advise(run, saved, here) }];
}

/** Tells whether the work was saved in a repository that is none any more. */
export function checkWithoutGit({
  branch,
  commit,
}: Pick<WorkState, "branch" | "commit">): readonly Validation[] {
  if (branch === null && commit === null) return [];
  const message = `This is no repository, but the work was saved ${describeThen(branch)}.`;
  const action = "Look where its .git folder went, or go on here and save again.";
  return [{ code: "BRANCH_MISMATCH", message, action }];
}

function describeThen(branch: string | null): string {
  return branch === null ? "on a detached HEAD" : `on ${branch}`;
}

function describeHere({ branch, head, rebased }: Here): string {
  if (branch !== null) return `This is the branch ${branch}`;
  return typeof rebased === "string"
    ? `The branch ${rebased} is being rebased`
    : `HEAD is detached at ${shortOf(head)}`;
}

async function advise(
  run: GitRun,
  { branch, commit }: Pick<WorkState, "branch" | "commit">,
  { operation }: Here,
): Promise<string> {
  if (operation !== undefined) return `Finish or abort the ${operation} first, and load again.`;
  return branch === null ? adviseDetaching(commit) : adviseSwitching(run, { branch, commit });
}

function adviseDetaching(commit: string | null): string {
  return commit !== null && isCommitName(commit)
    ? `Go back with \`git switch --detach ${commit}\`, ${stay}.`
    : "Go on here and save again.";
}

/** The name stands in a file of the repository: only that of a branch that is there, or can be, becomes part of a command. */
async function adviseSwitching(run: GitRun, saved: SavedPlace): Promise<string> {
  const { branch } = saved;
  if (await isBranch(run, branch))
    return `Switch to it with \`git switch ${renderShellWord(branch)}\`, ${stay}.`;
  const command = await findLostBranch(run, saved);
  if (command === undefined) return `There is no such branch here: fetch it, ${stay}.`;
  return `There is no such branch here, but its saved commit is: bring it back with \`${command}\`, ${stay}.`;
}
