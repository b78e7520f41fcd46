import {
  countApart,
  countCommits,
  findCommit,
  isCommitName,
  isShallow,
  shortOf,
} from "../../git/find-commit.ts";
import type { GitRun } from "../../git/git-run.ts";
import type { WorkTreeStatus } from "../../git/git-status.ts";
import { plural } from "../../lib/describe.ts";
import type { WorkState } from "../work-state.ts";
import type { Validation } from "./validation.ts";

/** Tells whether another commit is checked out than was saved, and how the two stand to each other. */
export async function checkCommit(
  run: GitRun,
  { branch, commit, isCommitUnknown }: Pick<WorkState, "branch" | "commit" | "isCommitUnknown">,
  { head }: WorkTreeStatus,
): Promise<readonly Validation[]> {
  if (isCommitUnknown) return [mismatch(unknownCommit, "Look at `git log`, then save again.")];
  if (commit === null) return branch === null || head === undefined ? [] : [await beforeFirst(run)];
  if (isCommitName(commit) && head?.startsWith(commit) === true) return [];
  if (head === undefined) {
    const message = `Nothing is committed here, but the work was saved at ${describe(commit)}.`;
    return [mismatch(message, "Fetch that commit, or go on here and save again.")];
  }
  const found = await findCommit(run, commit);
  if (found.type === "commit") return [await compare(run, found.hash, head)];
  return [await explain(run, commit, found.type)];
}

const unknownCommit = "It is not known at which commit the work was saved.";

function mismatch(message: string, action: string): Validation {
  return { code: "COMMIT_MISMATCH", message, action };
}

/** What is no hash comes from somebody else, and is not repeated. */
function describe(commit: string): string {
  return isCommitName(commit) ? commit : "a commit with an invalid name";
}

async function beforeFirst(run: GitRun): Promise<Validation> {
  const count = plural(await countCommits(run), "commit");
  return mismatch(
    `HEAD is ahead: the work was saved before the first commit, and ${count} came since.`,
    "Look at what came since with `git log`, then save again.",
  );
}

async function compare(run: GitRun, saved: string, head: string): Promise<Validation> {
  const { first: behind, second: ahead } = (await countApart(run, saved, head)) ?? { first: 0, second: 0 };
  const [then, now] = [shortOf(saved), shortOf(head)];
  const apart = (count: number, way: string, look: string) =>
    mismatch(`HEAD (${now}) is ${plural(count, "commit")} ${way} the saved commit ${then}.`, look);
  if (behind === 0)
    return apart(
      ahead,
      "ahead of",
      `Look at what came since with \`git log ${then}..HEAD\`, then save again.`,
    );
  const get = "and get it, or go on here and save again";
  if (ahead === 0)
    return apart(behind, "behind", `Look at what is missing with \`git log HEAD..${then}\`, ${get}.`);
  return mismatch(
    `HEAD (${now}) and the saved commit ${then} have diverged: ${plural(ahead, "commit")} ahead, ${behind} behind.`,
    `Look at both sides with \`git log --left-right ${then}...HEAD\` before you go on.`,
  );
}

async function explain(run: GitRun, commit: string, type: "unknown" | "ambiguous"): Promise<Validation> {
  if (type === "ambiguous")
    return mismatch(`Several commits begin with ${commit}.`, "Check which one it was, then save again.");
  const message = `The work was saved at ${describe(commit)}, which is unknown in this repository`;
  return (await isShallow(run))
    ? mismatch(
        `${message}: it is a shallow clone.`,
        "Get the rest with `git fetch --unshallow`, or save again.",
      )
    : mismatch(`${message}.`, "Fetch it with `git fetch`, or go on here and save again.");
}
