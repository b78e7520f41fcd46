import { lstatSync, readdirSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { describePath, type GitPath, locateFile } from "../git/git-path.ts";
import { GitRefused } from "../git/git-run.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import { addWorktree, removeWorktree } from "../git/switch-branch.ts";
import {
  checkOutTree,
  compareWithCommit,
  listIndexPaths,
  listTreePaths,
  readFirstParent,
  removeIndex,
  type TreeIndex,
  writeTree,
} from "../git/tree-index.ts";
import { type AppError, conflictError, ioError, unlessGone } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { beginRoundIndex } from "./keep-tree.ts";
import { listTrees } from "./list-trees.ts";
import { takeWorkTree } from "./trees/take-work-tree.ts";

/**
 * Makes a new work tree, at the commit that was checked out in a round, and writes the files of that round into it.
 *
 * Its HEAD is detached, before the first commit at the commit of the round. Nothing of it is left when that fails.
 */
export async function restoreWorktree(
  repository: Repository,
  commit: string,
  path: string,
): Promise<RestoredTree> {
  const { run } = repository;
  if (await isTaken(path))
    throw ioError("not-restored", `The files were not restored: ${path} is there already.`, {
      hint: "Name a folder that is not there yet.",
    });
  const parent = await readFirstParent(run, commit);
  // Before the first commit there is none to begin with but that of the round itself.
  const start = parent ?? commit;
  const refusal = await addWorktree(run, path, start);
  if (refusal !== undefined) throw notRestored(refusal);
  try {
    const { signal } = run;
    const restored = await restoreTree(
      await openRepository(path, run.env, { mayAsk: false, signal }),
      commit,
    );
    if (parent !== undefined) return restored;
    return { ...restored, files: (await listTreePaths(run, commit)).length, headThen: restored.head };
  } catch (error) {
    await removeWorktree(run, path);
    throw error;
  }
}

/** Tells whether something is at a path; git takes an empty folder. */
async function isTaken(path: string): Promise<boolean> {
  const stats = await unlessGone(lstat(path));
  return stats !== undefined && !(stats.isDirectory() && (await readdir(path)).length === 0);
}

/** What a restore has done. */
export interface RestoredTree {
  readonly root: string;
  /** How many files were written or removed. */
  readonly files: number;
  /** The commit that was checked out when the files were kept; undefined before the first. */
  readonly headThen: string | undefined;
  /** The one that is checked out; a restore leaves it. */
  readonly head: string | undefined;
}

/**
 * Writes the files of a round into the work tree; index, HEAD and branch stay as they are.
 *
 * Refused, before anything is written, where it would destroy what no commit has: changes of files, and files that git
 * ignores or does not know. What is exactly as the newest kept round of a session has it is not lost. A change that is
 * the same as in the round is none, so that an interrupted restore can be repeated.
 */
export async function restoreTree(repository: Repository, commit: string): Promise<RestoredTree> {
  const index = await beginRoundIndex(repository, "user");
  try {
    const { head, changes, leftOut } = await takeWorkTree(repository, index, noLimits);
    const now = await writeTree(index);
    const wanted = await readDifferences(index, commit);
    const dirty = new Set(changes.map(({ path }) => path));
    const changed = wanted.filter(({ path }) => dirty.has(path));
    // Of a file that was left out, the index does not have what the work tree has.
    const unknown = new Set(leftOut.map(({ path }) => path));
    const lost = await findLost(repository, index, changed, unknown);
    if (lost.length > 0) throw notClean(lost);
    const added = wanted.filter(({ change }) => change === "added").map(({ path }) => path);
    const inTheWay = await findInTheWay(repository.root, index, added);
    if (inTheWay.length > 0) throw notClean(inTheWay.map((path) => ({ path, change: "other" })));
    await checkOutTree(index, now, commit);
    return {
      root: repository.root,
      files: wanted.length,
      headThen: await readFirstParent(repository.run, commit),
      head,
    };
  } catch (error) {
    throw error instanceof GitRefused ? notRestored(error.said) : error;
  } finally {
    await removeIndex(index.path);
  }
}

/** Whoever asks for a restore waits for it. */
const noLimits = { files: Infinity, bytes: Infinity };

interface Difference {
  readonly path: GitPath;
  /** What becomes of the file: the index does not have one that is added. */
  readonly change: "added" | "removed" | "other";
}

async function readDifferences(index: TreeIndex, commit: string): Promise<readonly Difference[]> {
  return (await compareWithCommit(index, commit)).map(({ path, before, after }) => ({
    path,
    change: before === undefined ? "added" : after === undefined ? "removed" : "other",
  }));
}

/** Returns what would be lost of changed files: what neither a commit nor the newest kept round of a session has. */
async function findLost(
  { run }: Repository,
  index: TreeIndex,
  changed: readonly Difference[],
  unknown: ReadonlySet<GitPath>,
): Promise<readonly Difference[]> {
  let lost = changed;
  if (lost.every(({ path }) => unknown.has(path))) return lost;
  const newest = new Map((await listTrees(run)).map(({ session, commit }) => [session, commit]));
  for (const commit of newest.values()) {
    const others = new Set((await readDifferences(index, commit)).map(({ path }) => path));
    lost = lost.filter(({ path }) => unknown.has(path) || others.has(path));
    if (lost.length === 0) break;
  }
  return lost;
}

const shown = 5;

function notClean(lost: readonly Difference[]): AppError {
  const removed = lost.filter(({ change }) => change === "removed");
  const overwritten = lost.filter(({ change }) => change !== "removed");
  const what = [...nameFew("overwrite", overwritten), ...nameFew("remove", removed)].join(", and ");
  return conflictError("tree-not-clean", `The files were not restored: this would ${what}.`, {
    hint: "Commit or move away what is there, or restore into a new work tree: `--worktree`.",
  });
}

function nameFew(verb: string, files: readonly Difference[]): readonly string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, shown).map(({ path }) => toPrintableLine(describePath(path)));
  const more = files.length > shown ? ` and ${files.length - shown} more` : "";
  return [`${verb} ${names.join(", ")}${more}`];
}

function notRestored(said: string): AppError {
  return ioError("not-restored", `The files were not restored. Git said: ${said.split("\n").at(-1) ?? ""}`, {
    hint: "Nothing of it was written, or what was written can be restored again.",
  });
}

/**
 * Returns the files that lie where new ones are to be written, and that the index does not have.
 *
 * Git itself would overwrite those that it ignores.
 */
async function findInTheWay(
  root: string,
  index: TreeIndex,
  added: readonly GitPath[],
): Promise<readonly GitPath[]> {
  if (added.length === 0) return [];
  const known = await listIndexPaths(index);
  const found = added.flatMap((path) => filesAt(root, path)).filter((path) => !known.has(path));
  return [...new Set(found)];
}

/** Returns the file at a path, those in the folder there, or what stands where a folder of it should be. */
function filesAt(root: string, path: GitPath): readonly GitPath[] {
  const names = path.split("/");
  for (let depth = 1; depth <= names.length; depth += 1) {
    const above = names.slice(0, depth).join("/") as GitPath;
    // A link is not followed: what it leads to is not in this work tree.
    const stats = lstatSync(locateFile(root, above), { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (!stats.isDirectory()) return [above];
  }
  return filesIn(root, path);
}

function filesIn(root: string, folder: GitPath): readonly GitPath[] {
  const entries = readdirSync(locateFile(root, folder), { encoding: "buffer", withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name.toString("latin1")}` as GitPath;
    return entry.isDirectory() ? filesIn(root, path) : [path];
  });
}
