import type { PushOutcome, PushTarget } from "../git/push.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { SavedWork } from "./commit-work.ts";

/** Why a push did not happen, and what helps. */
export interface PushTrouble {
  readonly message: string;
  readonly hint: string;
}

const mostLines = 12;
const again = "Push again with `carryon save --sync`.";

/** Says why a push did not happen; undefined when it did. */
export function findPushTrouble(push: PushOutcome, work: SavedWork | undefined): PushTrouble | undefined {
  if (push.type === "pushed") return undefined;
  if (push.type !== "failed")
    return { message: `Nothing was pushed: ${reasonOf(push)}.`, hint: toHint(work, advice[push.type]) };
  const { target, said } = push;
  const [first = "git did not say why", ...others] = linesOf(said);
  const next = /\((?:fetch first|non-fast-forward)\)/.test(said) ? adviseFetching(target) : again;
  return {
    message: `The push to ${target.remote}/${target.branch} failed: ${first}`,
    hint: [...others.slice(0, mostLines), toHint(work, next)].join("\n"),
  };
}

const advice = {
  "no-repository": "A push needs a repository: make one with `git init`, and name its remote.",
  "no-branch":
    "Choose a branch, such as a new one with `git switch -c NAME`, and save again with `carryon save --sync`.",
  "no-commit": "Make the first commit, and save again with `carryon save --sync`.",
  "no-remote":
    "Name one with `git remote add origin ADDRESS`; of several, choose with `git config remote.pushDefault NAME`.",
  "not-allowed": "Add --yes to push it.",
} as const;

/** Why there is nothing to push. */
export const reasons = {
  "no-repository": "this is no repository",
  "no-branch": "no branch is checked out",
  "no-commit": "there is no commit yet",
  "no-remote": "it is not known to which remote",
} as const;

function reasonOf(
  push: Exclude<PushOutcome, { readonly type: "pushed" } | { readonly type: "failed" }>,
): string {
  if (push.type !== "not-allowed") return reasons[push.type];
  return `${push.target.branch} is the default branch of ${push.target.remote}`;
}

function adviseFetching({ remote, branch }: PushTarget): string {
  const theirs = renderShellWord(`..${remote}/${branch}`);
  return `Others have pushed to the branch: get it with \`git fetch\`, look with \`git log ${theirs}\`, and bring both together before you push again.`;
}

/** What is in no commit could not have been pushed, and what git is in the middle of comes first. */
function toHint(work: SavedWork | undefined, then: string): string {
  if (work?.outcome.type === "in-progress")
    return `The work is saved here. Finish or abort the ${work.outcome.operation}, then push with \`carryon save --sync\`.`;
  const isUnchanged = work?.outcome.type === "unchanged" && work.head !== undefined;
  const isCommitted = isUnchanged || work?.outcome.type === "committed";
  return `The work is saved${isCommitted ? " and committed" : ""} here. ${then}`;
}

/** Git says first where it pushes to, and last that it failed; what it says about it stands between, with its hints. */
function linesOf(said: string): readonly string[] {
  const lines = said
    .split("\n")
    .map((line) => toPrintableLine(line.replace(/^!\t\S*\t/, "").trimEnd()))
    .filter((line) => line !== "" && !/^(?:hint:|To |Done$)/.test(line));
  const telling = lines.filter((line) => !line.startsWith("error: failed to push some refs"));
  const ranked = telling.length === 0 ? lines : telling;
  return ranked.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf(line: string): number {
  if (/\[(?:remote )?rejected\]/.test(line)) return 0;
  return /^(?:error|fatal):/.test(line) ? 1 : 2;
}
