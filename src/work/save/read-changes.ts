import { lstatSync } from "node:fs";
import { isSystemError } from "../../lib/app-error.ts";
import { type GitPath, locateFile } from "../git-path.ts";
import { type ChangedPath, readWorkTreeStatus, type WorkTreeStatus } from "../git-status.ts";
import type { IndexedPath } from "./follow-commit.ts";
import type { Repository } from "./repository.ts";
import type { SaveNote } from "./unfinished-save.ts";

/** What differs, as it would be had the index followed the last save. */
export interface Changes extends WorkTreeStatus {
  /** What the index says yet of paths that the commit has otherwise. */
  readonly behind: readonly Behind[];
}

/** A path of which the index does not know what was committed. */
export interface Behind extends IndexedPath {
  readonly head: ChangedPath["head"];
}

/** Reads what differs. The index may not have followed the save that is noted. */
export async function readChanges(repository: Repository, note: SaveNote | undefined): Promise<Changes> {
  const status = await readWorkTreeStatus(repository.run);
  const noted = new Map(note?.paths.map(({ path, entry }) => [path, entry]));
  const isBehind = ({ path, index }: ChangedPath) =>
    noted.has(path) && noted.get(path)?.hash === index?.hash && noted.get(path)?.mode === index?.mode;
  const behind = status.changes.filter((change) => change.isStaged && isBehind(change));
  if (behind.length === 0) return { ...status, behind: [] };
  const paths = new Set(behind.map(({ path }) => path));
  return {
    ...status,
    changes: status.changes.flatMap((change) =>
      paths.has(change.path) ? catchUp(repository.root, change) : [change],
    ),
    behind: behind.map(({ path, index, head }) => ({ path, entry: index, head })),
  };
}

/** Returns a change as it is against the commit alone. */
function catchUp(root: string, change: ChangedPath): readonly ChangedPath[] {
  const { path, head } = change;
  // Git does not look for a file that its index does not have.
  const isGone = change.index === undefined ? !isInWorkTree(root, path) : change.isGone;
  if (head === undefined && isGone) return [];
  const isUntracked = head === undefined;
  return [{ ...change, index: head, isStaged: false, isModified: true, isUntracked, isGone }];
}

/** Tells whether the work tree has something at a path. What may not be looked at can be there. */
export function isInWorkTree(root: string, path: GitPath): boolean {
  try {
    return lstatSync(locateFile(root, path), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !isSystemError(error, "ENOTDIR");
  }
}
