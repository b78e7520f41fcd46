import { statSync } from "node:fs";
import { join } from "node:path";
import { readHead as askHead } from "./git-changes.ts";
import { gitEnvironment, isGitThere } from "./git-environment.ts";
import { type GitFacts, hasCommit, readBranch, readGitFacts } from "./git-facts.ts";
import { readUnmerged } from "./git-unmerged.ts";
import { isSurelyMerged } from "./is-surely-merged.ts";
import { type Head, readHead } from "./read-head.ts";
import { readTip } from "./read-tip.ts";

// Git is only started where its files alone do not say it: to start it takes longer than all that is asked.

/** Returns what git says of the place where a command runs, or undefined outside a work tree. */
export async function findGitFacts(cwd: string): Promise<GitFacts | undefined> {
  const head = lookAt(cwd);
  if (head === undefined) return readGitFacts(cwd);
  if (head === null) return undefined;
  const { root, commonFolder, branch } = head;
  return { root, commonFolder, branch, isShallow: isFilled(join(commonFolder, "shallow")) };
}

/** What is checked out. */
export interface CheckedOut {
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  /** The commit; undefined before the first one. */
  readonly tip: string | undefined;
}

/** Returns what is checked out in a work tree. */
export async function findCheckedOut(root: string): Promise<CheckedOut> {
  const head = lookAt(root);
  const tip = head ? readTip(head) : undefined;
  return { branch: head ? head.branch : await readBranch(root), tip: tip ?? (await askHead(root)) };
}

/** Returns the files in which a merge has left conflicts, from the top of the work tree; undefined where git does not tell. */
export async function findUnmerged(root: string): Promise<readonly string[] | undefined> {
  const head = lookAt(root);
  return head && isSurelyMerged(head.gitFolder) ? [] : readUnmerged(root);
}

/** Tells whether the repository of a work tree holds a commit. */
export async function holdsCommit(root: string, commit: string): Promise<boolean> {
  const folder = /^[0-9a-f]{40}$/.test(commit) ? lookAt(root)?.commonFolder : undefined;
  // One that is not packed with others has a file of its own.
  const isLoose =
    folder !== undefined && isFilled(join(folder, "objects", commit.slice(0, 2), commit.slice(2)));
  return isLoose || hasCommit(root, commit);
}

/** Undefined where only git can tell, null outside a repository. */
function lookAt(cwd: string): Head | null | undefined {
  return isGitThere() ? readHead(cwd, { env: gitEnvironment() }) : undefined;
}

function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
