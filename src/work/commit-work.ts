import { join } from "node:path";
import { identifyGit } from "../git/committing-git.ts";
import { readCheckedOut } from "../git/git-facts.ts";
import type { GitPath } from "../git/git-path.ts";
import { GitRefused } from "../git/git-refused.ts";
import type { ChangedPath } from "../git/git-status.ts";
import { copyIndex, markIndex, swapIndex } from "../git/index-swap.ts";
import type { Repository } from "../git/repository.ts";
import { runGit, type StartedGit } from "../git/run-git.ts";
import { syncForeignObjects, syncIndex, syncNames } from "../git/sync-git.ts";
import { removeIndex, TemporaryIndex } from "../git/temporary-index.ts";
import { writeFailed } from "../lib/file-error.ts";
import { acquireLock, type FileLock, LockBusy } from "../lib/file-lock.ts";
import { makeTempPath } from "../lib/temp-path.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import { type CommittedFiles, countCommitted, readMade } from "./count-committed.ts";
import type { Choice } from "./save/choose-files.ts";
import { type AddedFile, findAdded } from "./save/find-added.ts";
import type { IndexedPath } from "./save/follow-commit.ts";
import { isOnlyStaged, keepStaged, stagedRef } from "./save/keep-staged.ts";
import type { Changes } from "./save/read-changes.ts";
import {
  finishInterrupted,
  forgetSave,
  isCommitted,
  makeSaveFolder,
  noteSave,
  readCommit,
  type SaveNote,
  tryToFollow,
} from "./save/unfinished-save.ts";
import { keepUntracked } from "./save/untracked-on-purpose.ts";
import { type FoundWork, type Hindrance, lockOf, surveyWork } from "./survey-work.ts";

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

/** What git, or a hook, said against a commit. */
interface Objected {
  readonly said: string;
  /** Whether it was told line by line already, as it came. */
  readonly isHeard?: boolean;
}

/** What a save found, and did, in git. */
export interface SavedWork extends FoundWork {
  readonly outcome: CommitOutcome;
  /** Where the content is kept that had only been staged, if there was any. */
  readonly staged?: string;
}

/** A hook may take its time; another save waits for it. */
const [waitMs, stepMs] = [30_000, 500];

/**
 * Commits the work tree as it is, through an index of its own: the user's hooks run as for any commit, and what was
 * staged of files that are left out stays staged.
 *
 * Whatever happens, and wherever it is interrupted, files stay as they are and HEAD moves to the new commit or not at
 * all. An index that could not follow is set right by the next save.
 */
export async function commitWork(repository: Repository, message: string | undefined): Promise<SavedWork> {
  await makeSaveFolder(repository);
  const lock = await lockSaves(repository);
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

/** Waits for the lock in short steps, so that it can be interrupted. */
async function lockSaves({ folder, run }: Repository): Promise<FileLock> {
  for (let waited = 0; ; waited += stepMs) {
    run.signal?.throwIfAborted();
    try {
      return await acquireLock(join(folder, "save"), { wait: stepMs });
    } catch (error) {
      if (!(error instanceof LockBusy) || waited >= waitMs) throw error;
    }
  }
}

/** Whoever interrupts a save wants it to end, not to be left half done. */
function uninterrupted(repository: Repository): Repository {
  return { ...repository, run: { ...repository.run, signal: undefined } };
}

async function commitOnce(
  repository: Repository,
  message: string | undefined,
  unfinished: SaveNote | undefined,
): Promise<SavedWork> {
  const mark = await markIndex(repository.index);
  const { status, found, own, removed, hindrance } = await surveyWork(repository, unfinished);
  if (hindrance !== undefined) return { ...found, outcome: hindrance };
  if (message === undefined) return { ...found, outcome: { type: "not-wanted" } };
  const { taken, leftOut } = found;
  if (taken.length === 0 && removed.length === 0) return { ...found, outcome: { type: "unchanged" } };
  const temp = await makeTempPath(join(repository.folder, "index"));
  try {
    await unlessGone(copyIndex(repository.index, temp));
    const index = new TemporaryIndex(temp, repository.run, repository.hashLength);
    const files = new Map(status.changes.map((change) => [change.path, change]));
    const chosen = new Set(taken.map(({ path }) => path));
    const work = {
      repository,
      index,
      status,
      mark,
      message,
      files,
      unfinished,
      chosen,
      leftOut,
      begun: new Date(),
    };
    const { indexLock: _, ...rest } = found;
    const { added, ...made } = await putTogether(work, [...taken, ...removed], [...leftOut, ...own]);
    return { ...rest, ...withAdded(found, added), ...made };
  } catch (error) {
    if (error instanceof GitRefused) return { ...found, outcome: { type: "failed", said: error.said } };
    throw error;
  } finally {
    await removeIndex(temp);
  }
}

/** What a hook has added is not left out. */
function withAdded({ taken, leftOut }: FoundWork, added: readonly AddedFile[] = []): Choice {
  const paths = new Set(added.map(({ path }) => path));
  const work = added.filter(({ isOwn }) => !isOwn);
  return {
    taken: [...taken, ...work.map(({ path, sha256 }) => ({ path, sha256 }))],
    leftOut: leftOut.filter(({ path }) => !paths.has(path)),
  };
}

interface Work {
  readonly repository: Repository;
  readonly index: TemporaryIndex;
  readonly status: Changes;
  readonly mark: string;
  readonly message: string;
  readonly files: ReadonlyMap<GitPath, ChangedPath>;
  readonly unfinished: SaveNote | undefined;
  /** What is meant to be in the commit. */
  readonly chosen: ReadonlySet<GitPath>;
  readonly leftOut: FoundWork["leftOut"];
  /** When our git began to write objects. */
  readonly begun: Date;
}

type Made = Pick<SavedWork, "outcome"> & Partial<SavedWork> & { readonly added?: readonly AddedFile[] };

type Paths = readonly { readonly path: GitPath }[];

async function putTogether(work: Work, taken: Paths, leftOut: Paths): Promise<Made> {
  const { repository, index, status, message, unfinished } = work;
  const changes = pick(work, taken);
  const left = pick(work, leftOut).filter(
    ({ path, isStaged, isTakenOut }) => isStaged && !isTakenOut && !work.chosen.has(path),
  );
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
  await syncForeignObjects(repository, work.begun);
  const paths = listIndexed(status, changes);
  const earlier = unfinished && { earlier: unfinished };
  await keepUntracked(repository, status.changes);
  const note = { parent: status.head, message, tree, paths, ...earlier };
  const { outcome, added = [] } = await commit(work, note).catch(async (error) => {
    if (repository.run.signal?.aborted === true) await finishInterrupted(uninterrupted(repository));
    throw error;
  });
  if (outcome.type !== "committed") {
    await (unfinished === undefined ? forgetSave(repository) : noteSave(repository, unfinished));
    return { ...also, outcome };
  }
  await syncNames(repository, [
    ...(status.branch === null ? [] : [`refs/heads/${status.branch}`]),
    stagedRef,
  ]);
  // What was staged of the rest is put back, and the index is what it would be had the user committed by hand.
  await index.set(left.map(({ path, index: entry }) => ({ path, entry })));
  const hasFollowed = await follow(work, paths);
  await syncIndex(repository);
  if (hasFollowed) await forgetSave(repository);
  const { indexLock: _, ...rest } = also;
  return { ...rest, outcome, added, head: outcome.commit, ...(!hasFollowed && lock) };
}

/** Returns what the user's index says of all paths that it is to follow the commit in. */
function listIndexed({ behind }: Changes, changes: readonly ChangedPath[]): readonly IndexedPath[] {
  const known = new Set(behind.map(({ path }) => path));
  return [
    ...behind.map(({ path, entry }) => ({ path, entry })),
    ...changes.filter(({ path }) => !known.has(path)).map(({ path, index: entry }) => ({ path, entry })),
  ];
}

function pick({ files }: Work, chosen: Paths): readonly ChangedPath[] {
  return chosen.flatMap(({ path }) => files.get(path) ?? []);
}

async function readTree({ run }: Repository, head: string | undefined): Promise<string | undefined> {
  if (head === undefined) return undefined;
  return (await runGit(run, ["rev-parse", "--verify", `${head}^{tree}`])).stdout.trim();
}

async function commit(
  { repository, index, status, message, chosen, leftOut }: Work,
  note: SaveNote,
): Promise<Pick<Made, "outcome" | "added">> {
  const { run, hear } = repository;
  if ((await readCheckedOut(repository.root)).tip !== status.head) return movedMeanwhile;
  const args = ["commit", "--quiet", "--cleanup=whitespace", "--file=-"];
  const input = Buffer.from(message).toString("latin1");
  // The next save waits for a git that is written down, so that none may begin before it is.
  const onStart = async (git: StartedGit) => noteSave(repository, { ...note, git: await identifyGit(git) });
  const { code, stdout, stderr } = await index.run(args, { input, withHooks: true, hear, onStart });
  const said = `${Buffer.from(stdout, "latin1").toString()}${stderr}`.trim();
  const heard = hear === undefined ? {} : { isHeard: true };
  // A hook that runs after the commit may be ended together with git.
  if (code !== 0 && !isCommitted(note, await readCommit(repository, "HEAD")))
    return { outcome: { type: code === 1 ? "refused" : "failed", said, ...heard } };
  const made = await readMade(repository);
  if (made.commit === "") return { outcome: { type: "failed", said } };
  if (made.parent === (status.head ?? "")) {
    const beyond = new Set([...made.paths].filter((path) => !chosen.has(path)));
    const added = await findAdded(repository, made.commit, beyond, leftOut);
    const counted = await countCommitted(repository, made);
    const names = added.length > 0 && { added: added.map(({ path }) => path) };
    return { outcome: { type: "committed", commit: made.commit, ...counted, ...names }, added };
  }
  // Somebody else's commit came in between, and ours would undo it: it is taken back, as long as it is the last one.
  await runGit(run, ["update-ref", "-m", "carryon save: taken back", "HEAD", made.parent, made.commit]);
  return movedMeanwhile;
}

const movedMeanwhile = {
  outcome: { type: "failed", said: "Another commit was made at the same moment. Save again." },
} as const;

/** Lets the user's index follow the commit; false when another git keeps it. */
async function follow({ repository, index, mark }: Work, paths: readonly IndexedPath[]): Promise<boolean> {
  const swap = await swapIndex(index.path, repository.index, mark);
  return swap === "swapped" || (swap === "changed" && (await tryToFollow(repository, paths)));
}
