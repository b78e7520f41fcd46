import { setTimeout } from "node:timers/promises";
import type { GitPath } from "../../git/git-path.ts";
import { type GitRun, gitIn } from "../../git/git-run.ts";
import { grace, readMoment } from "./file-clock.ts";
import { changedLast, lookAtGrounds } from "./grounds.ts";
import { enter, limits, markFiles, readStamps, readTree, type TreeSite } from "./read-tree.ts";
import type { Ground, MarkedTree, TreeMark } from "./tree-mark.ts";
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
    files: markFiles(stamps, marking.mostFiles),
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
