import { describePath } from "../git/git-path.ts";
import type { CommittedFiles } from "../git/made-commit.ts";
import type { PushOutcome } from "../git/push.ts";
import { plural } from "../lib/describe.ts";
import { toPrintable, toPrintableLine } from "../lib/printable.ts";
import type { CommitOutcome, SavedWork } from "./commit-work.ts";
import { quoteOutput } from "./describe-recovery.ts";
import { findPushTrouble } from "./push-trouble.ts";
import type { SaveReport } from "./save.ts";

const mostLines = 12;

/** Says what became of the commit, in a few words. */
export function describeOutcome({ outcome, head }: SavedWork): string {
  const at = head === undefined ? "no commit yet" : `at ${head.slice(0, 12)}`;
  switch (outcome.type) {
    case "committed":
      return `${at}, ${describeCommitted(outcome)}`;
    case "unchanged":
      return `${at}, nothing to commit`;
    case "not-wanted":
      return `${at}, no commit was wanted`;
    case "in-progress":
      return `${at}, no commit: a ${outcome.operation} is in progress`;
    case "conflicts":
      return `${at}, no commit: files are in conflict`;
    case "refused":
      return `${at}, no commit: a hook refused it`;
    case "failed":
      return `${at}, no commit: git could not make it`;
  }
}

function describeCommitted({ files, deleted }: CommittedFiles): string {
  const said = `${plural(files, "file")} committed`;
  if (deleted === 0) return said;
  if (deleted < files) return `${said}, ${deleted} of them deleted`;
  return files === 1 ? `${said}, deleted` : `${said}, all of them deleted`;
}

/** Says what went wrong with the commit, for standard error. */
export function describeTrouble({ outcome, indexLock, branch }: SavedWork): readonly string[] {
  const behind =
    indexLock === undefined
      ? []
      : [
          "Another git holds the index, which therefore does not know of the commit yet: save again when it has ended.",
          toPrintableLine(`Its lock is ${indexLock}: remove that file only if no git runs.`),
        ];
  if (outcome.type === "refused")
    return object("A hook of this repository refused the commit. Nothing was committed", outcome);
  if (outcome.type === "failed")
    return object("Git could not make the commit. Nothing was committed", outcome);
  if (outcome.type !== "committed") return behind;
  return [
    ...behind,
    ...describeAdded(outcome),
    ...describeDeleted(outcome),
    ...(branch === null
      ? ["The commit is on no branch: `git branch NAME` keeps it when you switch to another one."]
      : []),
  ];
}

/** What was told as it came is not said twice. */
function object(
  what: string,
  { said, isHeard }: Extract<CommitOutcome, { said: string }>,
): readonly string[] {
  if (isHeard === true) return [`${what}.`];
  return said === "" ? [`${what}, and nothing was said about it.`] : [`${what}:`, quote(said)];
}

function describeAdded({ added = [] }: Extract<CommitOutcome, { type: "committed" }>): readonly string[] {
  if (added.length === 0) return [];
  const names = added.slice(0, mostLines).map(describePath).join(", ");
  const more = added.length > mostLines ? ` and ${plural(added.length - mostLines, "more file")}` : "";
  return [
    toPrintableLine(
      `A hook of yours has added what would have been left out, and the commit has it: ${names}${more}.`,
    ),
  ];
}

function describeDeleted({ deleted, deletedOf }: CommittedFiles): readonly string[] {
  if (deletedOf === undefined) return [];
  return [
    `This commit deletes ${deleted} of ${deletedOf} files. If you did not want that, \`git revert HEAD\` brings them back with another commit.`,
  ];
}

/** Says whether the commit is where others can get it. */
export function describePush(
  push: PushOutcome | undefined,
  { isPushed }: { readonly isPushed: boolean },
): string {
  if (push?.type === "pushed") {
    const followed = push.isFollowed ? ", which it follows from now on" : "";
    return `pushed to ${push.target.remote}/${push.target.branch}${followed}`;
  }
  return isPushed ? "on its remote" : "local";
}

function quote(said: string): string {
  const lines = toPrintable(said).split("\n");
  return lines
    .slice(-mostLines)
    .map((line) => `  ${line}`)
    .join("\n");
}

const asides = {
  broken: "The state that was there could not be read.",
  foreign: "The state that was there was not written by you here, and nothing was taken from it.",
} as const;

/** Says what did not go well in a save that is safe all the same, line by line, for standard error. */
export function describeTroubles(report: SaveReport): readonly string[] {
  const { work, aside, warnings, tasks, checks, push } = report;
  const failed = (checks ?? []).filter(({ outcome }) => outcome === "failed");
  const unpushed = push === undefined || isPushMissed(report) ? undefined : findPushTrouble(push, work);
  return [
    ...(work === undefined ? [] : describeTrouble(work)),
    ...(work?.staged === undefined
      ? []
      : [`What you had staged of files that you changed again is kept in ${work.staged}.`]),
    ...(aside === undefined ? [] : [`${asides[aside.was]} It is now ${toPrintableLine(aside.path)}`]),
    ...failed.flatMap(({ detail, output = "" }) => [
      toPrintableLine(`Not all is well: ${detail}.`),
      ...quoteOutput(output),
    ]),
    ...tasks.remarks.map(toPrintableLine),
    ...warnings.map(toPrintableLine),
    ...(unpushed === undefined ? [] : [toPrintableLine(unpushed.message)]),
  ];
}

/**
 * Tells whether a push was asked for that did not happen.
 *
 * Who only wants everything verified outside git has nowhere to push to.
 */
export function isPushMissed(report: SaveReport): report is SaveReport & { readonly push: PushOutcome } {
  const { push, state } = report;
  if (push === undefined || push.type === "pushed") return false;
  return state.mode !== "full" || push.type !== "no-repository";
}
