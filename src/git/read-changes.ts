import { lstatSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError, unlessGone } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { readFailed } from "../lib/file-error.ts";
import { parseIfJson } from "../lib/json.ts";
import { type GitPath, locateFile } from "./git-path.ts";
import { type ChangedPath, isSameEntry, readWorkTreeStatus, type WorkTreeStatus } from "./git-status.ts";
import {
  findOwnFiles,
  type GitOperation,
  type Repository,
  readOperation,
  readRebased,
} from "./repository.ts";
import { runGit } from "./run/run-git.ts";
import { findCommitted, type IndexedPath, readCommit, type SaveNote } from "./unfinished-save.ts";

/** What differs, as it would be had the index followed the last save. */
export interface Changes extends WorkTreeStatus {
  /** What the index says yet of paths that the commit has otherwise. */
  readonly behind: readonly Behind[];
  /** Whether the index has not followed a save. */
  readonly isHeld: boolean;
}

/** A path of which the index does not know what was committed. */
interface Behind extends IndexedPath {
  readonly head: ChangedPath["head"];
}

/** A work tree as a save finds it. */
export interface WorkTreeChanges {
  readonly status: Changes;
  /** In the middle of a rebase the branch that it comes back to; null on a detached HEAD. */
  readonly branch: string | null;
  /** What waits to be finished by hand. */
  readonly operation: GitOperation | undefined;
  /** The changed files of ours, which are nobody's work. */
  readonly own: readonly ChangedPath[];
}

/** Reads all that a save has to know of a work tree. Changes nothing. */
export async function readWorkTree(
  repository: Repository,
  note: SaveNote | undefined,
): Promise<WorkTreeChanges> {
  const status = await readChanges(repository, note);
  const isOwn = await findOwnFiles(repository);
  return {
    status,
    branch: status.branch ?? (await readRebased(repository.gitFolder)),
    operation: await readOperation(repository.gitFolder),
    own: status.changes.filter(({ path, isGone }) => isOwn(path) && !isGone),
  };
}

/** Reads what differs. The index may not have followed the save that is noted, or be lost. */
export async function readChanges(repository: Repository, note: SaveNote | undefined): Promise<Changes> {
  const [status, untracked] = await Promise.all([
    readWorkTreeStatus(repository.run),
    readUntracked(repository),
  ]);
  const isLost = await hasLostIndex(repository, status.changes);
  const head = note && status.head && (await readCommit(repository, status.head));
  const made = note && head ? findCommitted(note, head) : undefined;
  const noted = new Map(made?.paths.map(({ path, entry }) => [path, entry]));
  const isBehind = ({ path, index, isStaged, isTakenOut = false }: ChangedPath) =>
    (isTakenOut && isLost) || (isStaged && noted.has(path) && isSameEntry(noted.get(path), index));
  const behind = status.changes.filter(isBehind);
  const paths = new Set(behind.map(({ path }) => path));
  return {
    ...status,
    changes: status.changes.flatMap((change) => {
      if (paths.has(change.path)) return catchUp(repository.root, change);
      return change.isUntracked && untracked.has(change.path) ? [{ ...change, isTakenOut: true }] : [change];
    }),
    behind: behind.map((change) => ({ path: change.path, entry: change.index, head: change.head })),
    isHeld: made !== undefined,
  };
}

/** An index without a single file was lost, or is being made anew: nobody wants all files out of the repository. */
async function hasLostIndex({ run, index }: Repository, changes: readonly ChangedPath[]): Promise<boolean> {
  const takenOut = changes.filter(({ isTakenOut }) => isTakenOut);
  if (takenOut.length === 0) return false;
  if ((await unlessGone(stat(index))) === undefined) return true;
  return takenOut.length > 1 && (await runGit(run, ["ls-files", "-z"])).stdout === "";
}

/** Returns a change as it is against the commit alone. */
function catchUp(root: string, change: ChangedPath): readonly ChangedPath[] {
  const { path, head } = change;
  // Git does not look for a file that its index does not have.
  const isGone = change.index === undefined ? !isInWorkTree(root, path) : change.isGone;
  if (head === undefined && isGone) return [];
  const isUntracked = head === undefined;
  const flags = { isStaged: false, isModified: true, isTakenOut: false };
  return [{ ...change, ...flags, index: head, isUntracked, isGone }];
}

/** Tells whether the work tree has something at a path. What may not be looked at can be there. */
export function isInWorkTree(root: string, path: GitPath): boolean {
  try {
    return lstatSync(locateFile(root, path), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !isSystemError(error, "ENOTDIR");
  }
}

/** Returns the files that saves have found taken out of the index: to git they look like new ones later. */
async function readUntracked(repository: Repository): Promise<ReadonlySet<GitPath>> {
  const path = locateList(repository);
  try {
    const text = await unlessGone(readFile(path, "utf8"));
    const list = text === undefined ? [] : parseIfJson(text);
    return new Set(Array.isArray(list) ? list : []);
  } catch (error) {
    throw readFailed(path, error);
  }
}

/** Keeps the list of them. Whoever adds one again, or removes it, takes it off the list. */
export async function keepUntracked(repository: Repository, changes: readonly ChangedPath[]): Promise<void> {
  const now = changes.flatMap(({ path, isTakenOut }) => (isTakenOut ? [path] : [])).sort();
  const before = [...(await readUntracked(repository))].sort();
  if (JSON.stringify(now) !== JSON.stringify(before))
    await writeFileAtomically(locateList(repository), JSON.stringify(now));
}

function locateList({ folder }: Repository): string {
  return join(folder, "untracked.json");
}
