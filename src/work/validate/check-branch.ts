import { renderShellWord } from "../../lib/shell-word.ts";
import type { WorkTreeStatus } from "../git-status.ts";
import { type GitRun, runGit } from "../run-git.ts";
import type { WorkState } from "../state/work-state.ts";
import { isCommitName, shortOf } from "./find-commit.ts";
import type { Validation } from "./validation.ts";

const stay = "or go on here and save again";

/** Tells whether the branch is another one than was saved. */
export async function checkBranch(
  run: GitRun,
  { branch, commit }: Pick<WorkState, "branch" | "commit">,
  status: WorkTreeStatus,
): Promise<readonly Validation[]> {
  // Without a branch and a commit, it was saved outside git.
  if (branch === status.branch || (branch === null && commit === null)) return [];
  const now =
    status.branch === null
      ? `HEAD is detached at ${shortOf(status.head)}`
      : `This is the branch ${status.branch}`;
  const then = branch === null ? "on a detached HEAD" : `on ${branch}`;
  return [
    {
      code: "BRANCH_MISMATCH",
      message: `${now}, but the work was saved ${then}.`,
      action: branch === null ? adviseDetaching(commit) : await adviseSwitching(run, branch),
    },
  ];
}

function adviseDetaching(commit: string | null): string {
  return commit !== null && isCommitName(commit)
    ? `Go back with \`git switch --detach ${commit}\`, ${stay}.`
    : "Go on here and save again.";
}

/** The name stands in a file of the repository: only that of a branch that is there becomes part of a command. */
async function adviseSwitching(run: GitRun, branch: string): Promise<string> {
  const isName = /^[^\p{C}-][^\p{C}]*$/u.test(branch);
  const question = ["show-ref", "--verify", "--quiet", "--", `refs/heads/${branch}`];
  if (isName && (await runGit(run, question)).code === 0)
    return `Switch to it with \`git switch ${renderShellWord(branch)}\`, ${stay}.`;
  return `There is no such branch here: fetch it, ${stay}.`;
}
