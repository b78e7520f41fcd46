import { setTimeout } from "node:timers/promises";
import type { GitPath } from "../../git/git-path.ts";
import { type GitRun, gitIn } from "../../git/git-run.ts";
import type { TreeEntry } from "../../git/git-status.ts";
import { listHidden } from "../../git/list-files.ts";
import { compareCommits, type PathChange, submoduleMode } from "../../git/raw-diff.ts";
import { grace, readMoment, writtenFrom } from "./file-clock.ts";
import { changedLast, findMovedGrounds, lookAtGrounds } from "./grounds.ts";
import {
  askWhetherPut,
  enter,
  isLeftOut,
  limits,
  type ReadTree,
  readStamp,
  readStamps,
  readTree,
  type TreeSite,
} from "./read-tree.ts";
import { type Ground, type MarkedTree, mostFiles, type TreeMark } from "./tree-mark.ts";
import { orUnknown, type Unknown } from "./unknown.ts";

/** The work tree that is asked about. */
export interface MarkedPlace {
  /** The top of the work tree. */
  readonly root: string;
  /** Where marks are kept: a folder on the same disk, from which the clock of its files is read. */
  readonly folder: string;
  /** The variables of whoever asks. */
  readonly env: GitRun["env"];
  /** How many files a mark lists. */
  readonly mostFiles?: number;
  /** What else counts as written when it has changed. */
  readonly grounds?: readonly Ground[];
}

/**
 * Notes what a work tree is like, so that `findWrites` can tell what was written since. Costs one `git status`. Never
 * throws: a tree that cannot be read is unknown.
 */
export async function markTree(place: MarkedPlace): Promise<TreeMark | Unknown> {
  return orUnknown(async () => {
    const moment = readMoment(place.folder);
    const grounds = lookAtGrounds(place.grounds ?? []);
    const newest = { at: changedLast(grounds) };
    const tree = await markOne({ run: gitIn(place.root, place.env), depth: 0 }, { newest, ...place });
    await passTick(place.folder, newest.at);
    return { ...moment, tree, grounds };
  });
}

interface Marking {
  /** The time of the file that was changed last. */
  readonly newest: { at: bigint };
  readonly mostFiles?: number;
}

async function markOne(site: TreeSite, marking: Marking): Promise<MarkedTree> {
  const { head, changes, inner } = await readTree(site);
  const stamps = readStamps(site.run.cwd, changes.keys());
  for (const { changedAt } of stamps.values())
    if (changedAt > marking.newest.at) marking.newest.at = changedAt;
  return {
    head,
    files: new Map(
      [...stamps].slice(0, marking.mostFiles ?? mostFiles).map(([path, { stamp }]) => [path, stamp]),
    ),
    inner: await markInner(site, [...inner.keys()], marking),
  };
}

async function markInner(
  site: TreeSite,
  paths: readonly GitPath[],
  marking: Marking,
): Promise<ReadonlyMap<GitPath, MarkedTree>> {
  const trees = new Map<GitPath, MarkedTree>();
  if (site.depth >= limits.depth) return trees;
  for (const path of paths.slice(0, limits.inner)) {
    const tree = await orUnknown(async () => {
      const inside = enter(site, path);
      return inside && markOne(inside, marking);
    });
    // One that cannot be looked into now is told of when it cannot be compared.
    if (tree !== undefined && !("unknown" in tree)) trees.set(path, tree);
  }
  return trees;
}

/** Waits until a file that was changed just now would get another time if it were changed again. */
async function passTick(folder: string, newest: bigint): Promise<void> {
  const left = newest + grace - readMoment(folder).at;
  if (left > 0n && left <= grace) await setTimeout(Number(left / 1_000_000n) + 1);
}

/** What was written since a mark. */
export interface Writes {
  /** The files that were written, made, changed in their mode or removed, from the top of the work tree. */
  readonly paths: readonly GitPath[];
  /** Why there may be more of them, in a sentence; not there when the list is whole. */
  readonly unknown?: string;
}

/**
 * Returns the files of a work tree that were written since a mark.
 *
 * A file counts that git sees as changed, before or now, or that differs between the commits of then and now, if the
 * disk says that it is not the same any more: a commit of what was there is no write, a pull and a switch are. Ignored
 * files do not count, nor plans, nor the state of the work. A file that git was told not to look at counts like others, and so
 * does a change of what else the mark names. A touch counts where git sees the file as changed; of any
 * other file it changes nothing. Goes by the clock of the file system, also when that was set in between. Never throws.
 */
export async function findWrites(place: MarkedPlace, before: TreeMark): Promise<Writes> {
  // First of all: reading the clock makes a folder that is gone anew.
  const found: Found = { paths: [...findMovedGrounds(place.root, before.grounds)], unknown: undefined };
  const failed = await orUnknown(async () => {
    const from = writtenFrom(before, readMoment(place.folder));
    const site = { run: gitIn(place.root, place.env), depth: 0 };
    await compareTree({ site, before: before.tree, from, prefix: "", found });
  });
  const unknown = failed?.unknown ?? found.unknown;
  return { paths: [...new Set(found.paths)].sort(byBytes), ...(unknown !== undefined && { unknown }) };
}

function byBytes(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** What was found so far. */
interface Found {
  readonly paths: GitPath[];
  unknown: string | undefined;
}

interface Comparison {
  readonly site: TreeSite;
  readonly before: MarkedTree;
  /** The time from which a file was written since. */
  readonly from: bigint;
  /** The path of this tree from the top. */
  readonly prefix: string;
  readonly found: Found;
}

async function compareTree(comparison: Comparison): Promise<void> {
  const { site, before } = comparison;
  const now = await readTree(site);
  const changes = now.head === before.head ? [] : await compareCommits(site.run, before.head, now.head);
  const moved: Moved = new Map(changes.map((change) => [change.path, change]));
  compareFiles(comparison, now, { moved, hidden: await listHidden(site.run) });
  await compareInner(comparison, now, moved);
}

function compareFiles(
  { site, before, from, prefix, found }: Comparison,
  now: ReadTree,
  { moved, hidden }: { readonly moved: Moved; readonly hidden: readonly GitPath[] },
): void {
  const isBelowPut = askWhetherPut(site.run.cwd, from);
  const isWritten = (path: GitPath): boolean => {
    const { stamp, changedAt, isFolder } = readStamp(site.run.cwd, path);
    const [then, other] = [before.files.get(path), moved.get(path)];
    if (other !== undefined && isSubmodule(other) && isFolder) return false;
    if (then !== undefined) return then !== stamp;
    // What was the same as in the commit was there if the commit of then had it.
    if (stamp === null)
      return (other === undefined ? now.changes.get(path)?.head : other.before) !== undefined;
    return changedAt >= from || isBelowPut(path);
  };
  const paths = new Set([...now.changes.keys(), ...before.files.keys(), ...moved.keys(), ...hidden]);
  const written = [...paths].filter(isWritten).map((path) => `${prefix}${path}` as GitPath);
  for (const path of written) if (!isLeftOut(path)) found.paths.push(path);
}

/** Looks into the repositories inside that have changed, then or now, or of which another commit is named. */
async function compareInner(comparison: Comparison, now: ReadTree, moved: Moved): Promise<void> {
  const { site, before, found } = comparison;
  const named = [...moved.values()].filter(isSubmodule).map(({ path }) => path);
  const all = [...new Set([...now.inner.keys(), ...before.inner.keys(), ...named])];
  const paths = all.slice(0, site.depth < limits.depth ? limits.inner : 0);
  if (paths.length < all.length)
    found.unknown = "There are too many repositories inside of this one to look into all of them.";
  for (const path of paths) {
    const commit = commitOf(moved.get(path)?.before) ?? commitOf(now.inner.get(path)?.head);
    const failed = await orUnknown(() => compareOne(comparison, path, commit));
    found.unknown = failed?.unknown ?? found.unknown;
  }
}

async function compareOne(comparison: Comparison, path: GitPath, commit: string | null): Promise<void> {
  const { site, prefix, found } = comparison;
  const inside = enter(site, path);
  const known = comparison.before.inner;
  const before = known.get(path) ?? { head: commit, files: new Map(), inner: new Map() };
  if (inside !== undefined)
    await compareTree({ ...comparison, site: inside, before, prefix: `${prefix}${path}/` });
  // It was a repository, and is not any more.
  else if (known.has(path)) found.paths.push(`${prefix}${path}` as GitPath);
}

/** Which paths differ between two commits. */
type Moved = ReadonlyMap<GitPath, PathChange>;

function isSubmodule({ before, after }: PathChange): boolean {
  return before?.mode === submoduleMode || after?.mode === submoduleMode;
}

/** Returns the commit that a tree has of a submodule; null of anything else. */
function commitOf(entry: TreeEntry | undefined): string | null {
  return entry?.mode === submoduleMode ? entry.hash : null;
}
