import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lockOf, type Objected } from "../git/commit-files.ts";
import { isGitFolder } from "../git/git-facts.ts";
import type { GitPath } from "../git/git-path.ts";
import type { ChangedPath } from "../git/git-status.ts";
import { type HeldWorkTree, holdWorkTree } from "../git/hold-work-tree.ts";
import type { CommittedFiles } from "../git/made-commit.ts";
import { readCommitChanges } from "../git/raw-diff.ts";
import type { WorkTreeChanges } from "../git/read-changes.ts";
import { findOwnFiles, type GitOperation, type Repository, type RepositoryFiles } from "../git/repository.ts";
import { ioError, unlessGone, usageError } from "../lib/app-error.ts";
import { plainLines } from "../lib/plain-lines.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Choice, chooseFiles } from "./save/choose-files.ts";
import type { LeftOut, Taken } from "./save/leave-out.ts";
import { stateFile, type WorkState } from "./work-state.ts";

/**
 * Returns what there is to push after a save.
 *
 * In the middle of a rebase its branch is still where it was before, and nothing of that is to be pushed.
 */
export function toPush(
  work: FoundWork | undefined,
  outcome: Hindrance | { readonly type: string } | undefined,
): Pick<FoundWork, "branch" | "head"> {
  const isRebased = outcome !== undefined && "operation" in outcome && outcome.operation === "rebase";
  return { branch: isRebased ? null : (work?.branch ?? null), head: work?.head };
}

/** What there is to save in git. */
export interface FoundWork {
  /** In the middle of a rebase the branch that it comes back to; null on a detached HEAD. */
  readonly branch: string | null;
  /** The commit that is checked out; undefined before the first. */
  readonly head: string | undefined;
  readonly taken: readonly Taken[];
  readonly leftOut: readonly LeftOut[];
  readonly conflicts: readonly GitPath[];
  /** The lock by which another git keeps the index from following the commit, or kept it once and left it there. */
  readonly indexLock?: string;
}

/** Why no commit can be made: something has to be finished by hand first. */
export type Hindrance =
  | { readonly type: "in-progress"; readonly operation: GitOperation }
  | { readonly type: "conflicts" };

/** All that a save has to know before it makes a commit. */
export interface Survey {
  readonly found: FoundWork;
  /** What was taken out of the index, and stays in the work tree. */
  readonly removed: readonly ChangedPath[];
  readonly hindrance: Hindrance | undefined;
}

/** Decides what of a work tree is to be saved. Changes nothing. */
export async function surveyWork(
  repository: Repository,
  { status, branch, operation, own }: WorkTreeChanges,
): Promise<Survey> {
  const { changes, head } = status;
  const conflicts = changes.filter(({ isUnmerged }) => isUnmerged).map(({ path }) => path);
  const { taken, leftOut: left } = await chooseFiles(
    repository,
    changes.filter((change) => !own.includes(change)),
  );
  const leftOut = withKnownFirst([...left, ...listInside(taken, changes)], changes);
  const held = status.isHeld ? { indexLock: lockOf(repository.index) } : {};
  return {
    found: { branch, head, taken, leftOut, conflicts, ...held },
    removed: changes.filter((change) => change.isTakenOut && change.head !== undefined),
    hindrance: findHindrance(operation, conflicts),
  };
}

function findHindrance(
  operation: GitOperation | undefined,
  conflicts: readonly GitPath[],
): Hindrance | undefined {
  if (operation !== undefined) return { type: "in-progress", operation };
  return conflicts.length > 0 ? { type: "conflicts" } : undefined;
}

/** Of a submodule the commit takes which commit is checked out in it; what has changed in its files stays there. */
function listInside(taken: readonly Taken[], changes: readonly ChangedPath[]): readonly LeftOut[] {
  const paths = new Set(taken.map(({ path }) => path));
  return changes
    .filter(({ path, submodule }) => submodule?.isDirty === true && paths.has(path))
    .map(({ path }) => ({ path, sha256: null, reason: "submodule-changes" }));
}

/** That a file is left out which commits have had is a surprise, and must not be lost among many new ones. */
function withKnownFirst(leftOut: readonly LeftOut[], changes: readonly ChangedPath[]): readonly LeftOut[] {
  const known = new Set(changes.filter(({ head }) => head !== undefined).map(({ path }) => path));
  return leftOut.toSorted((one, other) => Number(known.has(other.path)) - Number(known.has(one.path)));
}

/** What became of the work tree in git. */
export type CommitOutcome =
  | ({ readonly type: "committed"; readonly commit: string } & Added & CommittedFiles)
  | { readonly type: "unchanged" }
  /** Nobody wanted a commit. */
  | { readonly type: "not-wanted" }
  | Hindrance
  /** A hook of the user's said no. */
  | ({ readonly type: "refused" } & Objected)
  | ({ readonly type: "failed" } & Objected);

interface Added {
  /** What was to be left out, and is in the commit all the same: a hook has added it. */
  readonly added?: readonly GitPath[];
}

/** What a save found, and did, in git. */
export interface SavedWork extends FoundWork {
  readonly outcome: CommitOutcome;
  /** Where the content is kept that had only been staged, if there was any. */
  readonly staged?: string;
  /** The subject of the commit before, where the message was made of it. */
  readonly lastSubject?: string | undefined;
}

/** The message of a commit, or what makes it of the subject of the commit before; undefined where none is wanted. */
export type CommitMessage = string | undefined | ((lastSubject: string | undefined) => string | undefined);

/** Commits the work tree as it is, but for what does not belong into a commit. */
export async function commitWork(repository: Repository, message: CommitMessage): Promise<SavedWork> {
  if (typeof message !== "function")
    return holdWorkTree(repository, {}, (tree) => commitTree(repository, tree, () => message));
  return holdWorkTree(repository, { lastSubject: true }, async (tree) => ({
    ...(await commitTree(repository, tree, () => message(tree.lastSubject))),
    lastSubject: tree.lastSubject,
  }));
}

async function commitTree(
  repository: Repository,
  tree: HeldWorkTree,
  sayMessage: () => string | undefined,
): Promise<SavedWork> {
  const { found, removed, hindrance } = await surveyWork(repository, tree);
  if (hindrance !== undefined) return { ...found, outcome: hindrance };
  const message = sayMessage();
  if (message === undefined) return { ...found, outcome: { type: "not-wanted" } };
  const { indexLock: _, ...rest } = found;
  const taken = found.taken.map(({ path }) => path);
  if (taken.length === 0 && removed.length === 0) return { ...found, outcome: { type: "unchanged" } };
  const { paths, ...made } = await tree.commit({
    message,
    taken,
    removed: removed.map(({ path }) => path),
    leftOut: [...found.leftOut, ...tree.own].map(({ path }) => path),
  });
  if (made.outcome.type !== "committed") return { ...rest, ...made };
  const head = made.outcome.commit;
  const chosen = new Set(taken);
  const beyond = new Set([...paths].filter((path) => !chosen.has(path)));
  const saved = { ...rest, ...made, head };
  if (beyond.size === 0) return saved;
  const added = await findAdded(repository, head, beyond, found.leftOut);
  if (added.length === 0) return saved;
  const outcome = { ...made.outcome, added: added.map(({ path }) => path) };
  return { ...saved, ...withAdded(found, added), outcome };
}

/** What a hook has added to a commit is not left out. */
function withAdded({ taken, leftOut }: Choice, added: readonly AddedFile[]): Choice {
  const paths = new Set(added.map(({ path }) => path));
  const work = added.filter(({ isOwn }) => !isOwn);
  return {
    taken: [...taken, ...work.map(({ path, sha256 }) => ({ path, sha256 }))],
    leftOut: leftOut.filter(({ path }) => !paths.has(path)),
  };
}

/** How much is kept of what was said against a commit: its beginning most often names the check. */
const mostLines = 5;
const longestLine = 200;

/**
 * Returns what was said against the last commit that a save wanted to make; undefined where it was made, or there was
 * nothing to commit. A save that wanted none, or could make none, says nothing about the one before.
 */
export function findRefusedCommit(
  work: SavedWork | undefined,
  before: WorkState | undefined,
): string | undefined {
  if (work === undefined) return before?.refusedCommit;
  const { outcome } = work;
  if (outcome.type === "committed" || outcome.type === "unchanged") return undefined;
  if (outcome.type !== "refused" && outcome.type !== "failed") return before?.refusedCommit;
  const lines = plainLines(hideSecrets(outcome.said)).filter((line) => line.trim() !== "");
  const first = lines.slice(0, mostLines).map((line) => line.trim().slice(0, longestLine).toWellFormed());
  const who = outcome.type === "refused" ? "a hook" : "git";
  return [`by ${who}${first.length === 0 ? ", without a word" : ":"}`, ...first].join("\n");
}

/** Refuses a bare repository and the folder of git itself: they look like no repository, and nothing of ours belongs there. */
export async function refuseGitFolder({ git, root }: Pick<Workspace, "git" | "root">): Promise<void> {
  if (git !== undefined) return;
  if (!(await isGitFolder(root))) return refuseUnreadable(root);
  throw usageError("no-work-tree", "This folder belongs to git, and has no work to save.", {
    hint: "Go to a work tree of the repository.",
  });
}

/** A repository that git does not read, because it is another's or damaged, is not "no repository". */
async function refuseUnreadable(root: string): Promise<void> {
  for (let folder = root; ; folder = dirname(folder)) {
    if ((await unlessGone(lstat(join(folder, ".git")))) !== undefined)
      throw ioError("git-failed", `Git cannot read the repository of ${folder}, so that nothing was saved.`, {
        hint: "See what `git status` says there.",
      });
    if (folder === dirname(folder)) return;
  }
}

/** A file that a hook has added to a commit, and that a save would have left out. */
interface AddedFile extends Taken {
  /** Whether it is Carryon's own, and nobody's work. */
  readonly isOwn: boolean;
}

/** Returns which of the files that a commit has, and a save did not take, were left out, or would have been. */
async function findAdded(
  repository: RepositoryFiles,
  commit: string,
  paths: ReadonlySet<GitPath>,
  known: readonly LeftOut[],
): Promise<readonly AddedFile[]> {
  const added = known.filter(({ path }) => paths.has(path)).map(toAdded);
  if (added.length === paths.size) return added;
  const told = new Set(added.map(({ path }) => path));
  const changes = (await readCommitChanges(repository.run, commit)).filter(
    ({ path }) => paths.has(path) && !told.has(path),
  );
  const isOwn = await findOwnFiles(repository);
  const { leftOut } = await chooseFiles(
    repository,
    changes.filter(({ path }) => !isOwn(path)),
  );
  return [
    ...added,
    ...changes.filter(({ path }) => isOwn(path)).map(({ path }) => ({ path, sha256: null, isOwn: true })),
    ...leftOut.map(toAdded),
  ];
}

function toAdded({ path, sha256 }: LeftOut): AddedFile {
  return { path, sha256, isOwn: path === stateFile };
}
