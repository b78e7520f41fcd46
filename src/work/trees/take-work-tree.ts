import { lstatSync } from "node:fs";
import { largestFile } from "../../git/file-content.ts";
import { type GitPath, locateFile } from "../../git/git-path.ts";
import { type ChangedPath, isSameEntry, readStatusAtOnce, type TreeEntry } from "../../git/git-status.ts";
import { isInWorkTree } from "../../git/read-changes.ts";
import { findOwnFiles, type Repository } from "../../git/repository.ts";
import { readTreeEntries, setPaths, type TreeIndex, takePaths } from "../../git/tree-index.ts";
import { chooseFiles } from "../save/choose-files.ts";
import type { LeftOut } from "../save/leave-out.ts";

/** What an index has taken of the work tree. */
export interface TakenTree {
  /** The commit that is checked out; undefined before the first. */
  readonly head: string | undefined;
  readonly branch: string | null;
  /** All that differed from the index or, where that began as the user's, from the commit. */
  readonly changes: readonly ChangedPath[];
  readonly leftOut: readonly LeftOut[];
}

/** How much may have changed at once. */
export interface TreeLimits {
  readonly files: number;
  /** Of files that are not too large each. */
  readonly bytes: number;
}

/** More than this is rather a forgotten .gitignore than work. */
export const usualLimits: TreeLimits = { files: 20_000, bytes: 1024 ** 3 };

/** So much has changed that it is not taken. */
export class TooMuchChanged extends Error {
  readonly files: number;
  readonly bytes: number;

  constructor(files: number, bytes: number) {
    super("Too much has changed at once.");
    this.files = files;
    this.bytes = bytes;
  }
}

/**
 * Brings an index to what the work tree is: all that git tracks, and new files that are not ignored.
 *
 * What a save would leave out is left out, and so is what is Carryon's own: such a file stays as the commit has it. What
 * was staged of a file does not count, and neither does it that a file was taken out of the user's index. Files in
 * conflict are taken as they are.
 */
export async function takeWorkTree(
  repository: Repository,
  index: TreeIndex & { readonly isKept: boolean },
  limits: TreeLimits,
): Promise<TakenTree> {
  const status = await readStatusAtOnce(index.run);
  const isOwn = await findOwnFiles(repository);
  const own = new Set(status.changes.filter(({ path, isGone }) => isOwn(path) && !isGone));
  const isNew = ({ isModified, isUnmerged }: ChangedPath) => isModified || isUnmerged;
  // What the round before has taken was judged then.
  const open = index.isKept ? status.changes.filter(isNew) : status.changes;
  const unmerged = new Set(open.filter(({ isUnmerged }) => isUnmerged).map(({ path }) => path));
  const changes = await withCommitted(
    repository,
    status.head,
    open.filter((change) => !own.has(change)).map(toPlain),
  );
  refuseTooMuch(repository.root, changes, limits);
  const { taken, leftOut } = await chooseFiles(repository, changes);
  const files = new Map(changes.map((change) => [change.path, change]));
  const pick = (chosen: readonly { readonly path: GitPath }[]) =>
    chosen.flatMap(({ path }) => files.get(path) ?? []);
  const isGone = ({ path, isGone: isSaidGone }: ChangedPath) =>
    isSaidGone || !isInWorkTree(repository.root, path);
  const left = [...own, ...pick(leftOut)].filter(
    ({ path, index: entry, head }) => unmerged.has(path) || !isSameEntry(entry, head),
  );
  await setPaths(index, [
    ...left.map(({ path, head }) => ({ path, entry: head })),
    ...pick(taken)
      .filter(isGone)
      .map(({ path }) => ({ path, entry: undefined })),
  ]);
  await takePaths(
    index,
    pick(taken)
      .filter((change) => !isGone(change) && change.isModified)
      .map(({ path }) => path),
  );
  return { head: status.head, branch: status.branch, changes, leftOut };
}

/** What was taken out of the index on purpose is in the work tree all the same. */
function toPlain(change: ChangedPath): ChangedPath {
  if (change.isTakenOut !== true) return change;
  return { ...change, isTakenOut: false, isUntracked: true, isModified: true, isGone: false };
}

/** Finds out what the commit has of files in conflict, which git does not say of them. */
async function withCommitted(
  { run }: Repository,
  head: string | undefined,
  changes: readonly ChangedPath[],
): Promise<readonly ChangedPath[]> {
  const unmerged = changes.filter(({ isUnmerged }) => isUnmerged);
  if (unmerged.length === 0) return changes;
  const committed =
    head === undefined ? new Map<GitPath, TreeEntry>() : await readEntries(run, head, unmerged);
  return changes.map((change) =>
    change.isUnmerged ? { ...change, isUnmerged: false, head: committed.get(change.path) } : change,
  );
}

async function readEntries(
  run: Repository["run"],
  head: string,
  changes: readonly ChangedPath[],
): Promise<ReadonlyMap<GitPath, TreeEntry>> {
  // Neither are the paths patterns, nor may there be more of them than fit into a command.
  const wanted = new Set(changes.map(({ path }) => path));
  return new Map([...(await readTreeEntries(run, head))].filter(([path]) => wanted.has(path)));
}

function refuseTooMuch(root: string, changes: readonly ChangedPath[], limits: TreeLimits): void {
  const there = changes.filter(({ isGone }) => !isGone);
  const sizes = there.map(({ path }) => sizeOf(root, path));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (there.length > limits.files || bytes > limits.bytes) throw new TooMuchChanged(there.length, bytes);
}

function sizeOf(root: string, path: GitPath): number {
  try {
    const { size } = lstatSync(locateFile(root, path));
    return size > largestFile ? 0 : size;
  } catch {
    // Gone this moment, or not to be looked at: whoever reads it next finds out.
    return 0;
  }
}
