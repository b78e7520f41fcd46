import { join } from "node:path";
import { writeFailed } from "../lib/file-error.ts";
import { acquireLock, type FileLock, LockBusy } from "../lib/file-lock.ts";
import { type CommitRequest, commitFiles, type MadeFiles } from "./commit-files.ts";
import { readLastCommit } from "./git-history.ts";
import { readWorkTree, type WorkTreeChanges } from "./read-changes.ts";
import type { Repository } from "./repository.ts";
import { markIndex } from "./tree-index.ts";
import { finishInterrupted, makeSaveFolder } from "./unfinished-save.ts";

/** A work tree that no other save changes. */
export interface HeldWorkTree extends WorkTreeChanges {
  /** The subject of the commit that is checked out; undefined unless it was asked for. */
  readonly lastSubject: string | undefined;
  readonly commit: (request: CommitRequest) => Promise<MadeFiles>;
}

/** A hook may take its time; another save waits for it. */
const [waitMs, stepMs] = [30_000, 500];

/** Lets nobody else save a work tree while `save` decides what to commit; a save that was killed is finished first. */
export async function holdWorkTree<Result>(
  repository: Repository,
  asked: { readonly lastSubject?: true },
  save: (tree: HeldWorkTree) => Promise<Result>,
): Promise<Result> {
  await makeSaveFolder(repository);
  const lock = await lockSaves(repository);
  try {
    const unfinished = await finishInterrupted(repository);
    const mark = await markIndex(repository.index);
    const [tree, last] = await Promise.all([
      readWorkTree(repository, unfinished),
      asked.lastSubject && readLastCommit(repository.root),
    ]);
    const ground = { status: tree.status, mark, unfinished };
    return await save({
      ...tree,
      lastSubject: last?.subject,
      commit: (request) => commitFiles(repository, ground, request),
    });
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
