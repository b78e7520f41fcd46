import { join } from "node:path";
import { writeFailed } from "../../lib/file-error.ts";
import { acquireLock } from "../../lib/file-lock.ts";
import { makeTempPath } from "../../lib/temp-path.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { type GitOperation, readOperation } from "../git-operation.ts";
import type { GitPath } from "../git-path.ts";
import type { ChangedPath } from "../git-status.ts";
import { isOwnFile } from "../own-file.ts";
import { runGit } from "../run-git.ts";
import { chooseFiles } from "./choose-files.ts";
import { type CommittedFiles, countCommitted } from "./count-committed.ts";
import type { IndexedPath } from "./follow-commit.ts";
import { GitRefused } from "./git-refused.ts";
import { copyIndex, markIndex, swapIndex } from "./index-swap.ts";
import { isOnlyStaged, keepStaged, stagedRef } from "./keep-staged.ts";
import type { LeftOut, Taken } from "./leave-out.ts";
import { type Changes, readChanges } from "./read-changes.ts";
import type { Repository } from "./repository.ts";
import { removeIndex, TemporaryIndex } from "./temporary-index.ts";
import {
  finishInterrupted,
  forgetSave,
  makeSaveFolder,
  noteSave,
  type SaveNote,
  tryToFollow,
} from "./unfinished-save.ts";
import { keepUntracked } from "./untracked-on-purpose.ts";

/** What became of the work tree in git. */
export type CommitOutcome =
  | ({ readonly type: "committed"; readonly commit: string } & CommittedFiles)
  | { readonly type: "unchanged" }
  /** Nobody wanted a commit. */
  | { readonly type: "not-wanted" }
  /** Something has to be finished by hand first. */
  | { readonly type: "in-progress"; readonly operation: GitOperation }
  | { readonly type: "conflicts" }
  /** A hook of the user's said no. */
  | { readonly type: "refused"; readonly said: string }
  | { readonly type: "failed"; readonly said: string };

/** What a save found, and did, in git. */
export interface SavedWork {
  readonly outcome: CommitOutcome;
  readonly branch: string | null;
  /** The commit that is checked out now; undefined before the first. */
  readonly head: string | undefined;
  readonly taken: readonly Taken[];
  readonly leftOut: readonly LeftOut[];
  readonly conflicts: readonly GitPath[];
  /** Where the content is kept that had only been staged, if there was any. */
  readonly staged?: string;
  /** The lock by which another git keeps the index from following the commit, or kept it once and left it there. */
  readonly indexLock?: string;
}

/** A hook may take its time; another save waits for it. */
const waitMs = 30_000;

/**
 * Commits the work tree as it is, through an index of its own: the user's hooks run as for any commit, and what was
 * staged of files that are left out stays staged.
 *
 * Whatever happens, and wherever it is interrupted, files stay as they are and HEAD moves to the new commit or not at
 * all. An index that could not follow is set right by the next save.
 */
export async function commitWork(repository: Repository, message: string | undefined): Promise<SavedWork> {
  await makeSaveFolder(repository);
  const lock = await acquireLock(join(repository.folder, "save"), { wait: waitMs });
  try {
    const unfinished = await finishInterrupted(repository);
    return await commitOnce(repository, message, unfinished);
  } catch (error) {
    // A disk that is full, or a folder that may not be written: the user has to act.
    throw error instanceof Error && "syscall" in error ? writeFailed(repository.folder, error) : error;
  } finally {
    await lock.release();
  }
}

async function commitOnce(
  repository: Repository,
  message: string | undefined,
  unfinished: SaveNote | undefined,
): Promise<SavedWork> {
  const mark = await markIndex(repository.index);
  const status = await readChanges(repository, unfinished);
  const operation = await readOperation(repository.gitFolder);
  const conflicts = status.changes.filter(({ isUnmerged }) => isUnmerged).map(({ path }) => path);
  const own = status.changes.filter(({ path, isGone }) => isOwnFile(path) && !isGone);
  const { taken, leftOut: left } = await chooseFiles(
    repository,
    status.changes.filter((change) => !own.includes(change)),
  );
  const leftOut = withKnownFirst(left, status.changes);
  const held = status.isHeld ? { indexLock: lockOf(repository) } : {};
  const found = { branch: status.branch, head: status.head, taken, leftOut, conflicts, ...held };
  if (operation !== undefined) return { ...found, outcome: { type: "in-progress", operation } };
  if (conflicts.length > 0) return { ...found, outcome: { type: "conflicts" } };
  if (message === undefined) return { ...found, outcome: { type: "not-wanted" } };
  const removed = status.changes.filter(({ isTakenOut, head }) => isTakenOut && head !== undefined);
  if (taken.length === 0 && removed.length === 0) return { ...found, outcome: { type: "unchanged" } };
  const temp = await makeTempPath(join(repository.folder, "index"));
  try {
    await unlessGone(copyIndex(repository.index, temp));
    const index = new TemporaryIndex(temp, repository.run, repository.hashLength);
    const files = new Map(status.changes.map((change) => [change.path, change]));
    const work = { repository, index, status, mark, message, files, unfinished };
    const { indexLock: _, ...rest } = found;
    return { ...rest, ...(await putTogether(work, [...taken, ...removed], [...leftOut, ...own])) };
  } catch (error) {
    if (error instanceof GitRefused) return { ...found, outcome: { type: "failed", said: error.said } };
    throw error;
  } finally {
    await removeIndex(temp);
  }
}

/** That a file is left out which commits have had is a surprise, and must not be lost among many new ones. */
function withKnownFirst(leftOut: readonly LeftOut[], changes: readonly ChangedPath[]): readonly LeftOut[] {
  const known = new Set(changes.filter(({ head }) => head !== undefined).map(({ path }) => path));
  return leftOut.toSorted((one, other) => Number(known.has(other.path)) - Number(known.has(one.path)));
}

interface Work {
  readonly repository: Repository;
  readonly index: TemporaryIndex;
  readonly status: Changes;
  readonly mark: string;
  readonly message: string;
  readonly files: ReadonlyMap<GitPath, ChangedPath>;
  readonly unfinished: SaveNote | undefined;
}

type Made = Pick<SavedWork, "outcome"> & Partial<SavedWork>;

type Paths = readonly { readonly path: GitPath }[];

async function putTogether(work: Work, taken: Paths, leftOut: Paths): Promise<Made> {
  const { repository, index, status, message, unfinished } = work;
  const changes = pick(work, taken);
  const left = pick(work, leftOut).filter(({ isStaged, isTakenOut }) => isStaged && !isTakenOut);
  await index.set(status.behind.map(({ path, head }) => ({ path, entry: head })));
  const isKept = changes.some(isOnlyStaged);
  if (isKept) await keepStaged(repository, index, status.head);
  const lock = { indexLock: lockOf(repository) };
  const also = { ...(isKept && { staged: stagedRef }), ...(status.isHeld && lock) };
  await index.set([
    ...left.map(({ path, head }) => ({ path, entry: head })),
    ...changes.filter(({ isGone }) => isGone).map(({ path }) => ({ path, entry: undefined })),
  ]);
  const [treeBefore] = await Promise.all([
    readTree(repository, status.head),
    index.add(changes.filter(({ isGone }) => !isGone).map(({ path }) => path)),
  ]);
  const tree = await index.writeTree();
  if (tree === treeBefore) return { ...also, outcome: { type: "unchanged" } };
  const paths = listIndexed(status, changes);
  const earlier = unfinished && { earlier: unfinished };
  await keepUntracked(repository, status.changes);
  await noteSave(repository, { parent: status.head, message, tree, paths, ...earlier });
  const outcome = await commit(work);
  if (outcome.type !== "committed") {
    await (unfinished === undefined ? forgetSave(repository) : noteSave(repository, unfinished));
    return { ...also, outcome };
  }
  // What was staged of the rest is put back, and the index is what it would be had the user committed by hand.
  await index.set(left.map(({ path, index: entry }) => ({ path, entry })));
  const [hasFollowed, counted] = await Promise.all([
    follow(work, paths),
    countCommitted(repository, outcome.commit, status.head),
  ]);
  if (hasFollowed) await forgetSave(repository);
  const { indexLock: _, ...rest } = also;
  return { ...rest, outcome: { ...outcome, ...counted }, head: outcome.commit, ...(!hasFollowed && lock) };
}

/** Returns what the user's index says of all paths that it is to follow the commit in. */
function listIndexed({ behind }: Changes, changes: readonly ChangedPath[]): readonly IndexedPath[] {
  const known = new Set(behind.map(({ path }) => path));
  return [
    ...behind.map(({ path, entry }) => ({ path, entry })),
    ...changes.filter(({ path }) => !known.has(path)).map(({ path, index: entry }) => ({ path, entry })),
  ];
}

function lockOf({ index }: Repository): string {
  return `${index}.lock`;
}

function pick({ files }: Work, chosen: Paths): readonly ChangedPath[] {
  return chosen.flatMap(({ path }) => files.get(path) ?? []);
}

async function readTree({ run }: Repository, head: string | undefined): Promise<string | undefined> {
  if (head === undefined) return undefined;
  return (await runGit(run, ["rev-parse", "--verify", `${head}^{tree}`])).stdout.trim();
}

async function commit({ repository, index, status, message }: Work): Promise<CommitOutcome> {
  const { run } = repository;
  if ((await readHead(repository)) !== status.head) return movedMeanwhile;
  const args = ["commit", "--quiet", "--cleanup=whitespace", "--file=-"];
  const input = Buffer.from(message).toString("latin1");
  const { code, stdout, stderr } = await index.run(args, { input, withHooks: true });
  const said = `${Buffer.from(stdout, "latin1").toString()}${stderr}`.trim();
  if (code === 1) return { type: "refused", said };
  if (code !== 0) return { type: "failed", said };
  const { stdout: line } = await runGit(run, ["rev-list", "--max-count=1", "--parents", "HEAD", "--"]);
  const [made = "", parent = ""] = line.trim().split(" ");
  if (made === "") return { type: "failed", said };
  if (parent === (status.head ?? "")) return { type: "committed", commit: made, files: 0, deleted: 0 };
  // Somebody else's commit came in between, and ours would undo it: it is taken back, as long as it is the last one.
  await runGit(run, ["update-ref", "-m", "carryon save: taken back", "HEAD", parent, made]);
  return movedMeanwhile;
}

const movedMeanwhile: CommitOutcome = {
  type: "failed",
  said: "Another commit was made at the same moment. Save again.",
};

async function readHead({ run }: Repository): Promise<string | undefined> {
  const { code, stdout } = await runGit(run, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return code === 0 ? stdout.trim() : undefined;
}

/** Lets the user's index follow the commit; false when another git keeps it. */
async function follow({ repository, index, mark }: Work, paths: readonly IndexedPath[]): Promise<boolean> {
  const swap = await swapIndex(index.path, repository.index, mark);
  return swap === "swapped" || (swap === "changed" && (await tryToFollow(repository, paths)));
}
