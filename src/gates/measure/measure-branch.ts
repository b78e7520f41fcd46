import { mkdir } from "node:fs/promises";
import { countChangedLines, findBase, findObstacle } from "../../git/branch-size.ts";
import { type GitRun, gitIn } from "../../git/git-run.ts";
import { sweepStrays, writeFileAtomically } from "../../lib/atomic-file.ts";
import { countUntracked, type ReadLimits } from "./count-untracked.ts";
import {
  type BranchMeasure,
  type BranchSize,
  locateSize,
  readKeptSize,
  sizeVersion,
} from "./read-kept-size.ts";
import { orUnknown, type Unknown } from "./unknown.ts";

/**
 * Counts the changed lines of a branch: its commits, what is staged, what is not, and the files that git does not track,
 * all against the merge base with the default branch, or on the default branch itself with its upstream.
 *
 * Binary and ignored files do not count. A file that was moved counts as all of its lines removed and added again. A
 * submodule counts as the one line that names its commit, and what a sparse checkout leaves out does not count. A
 * figure that was kept costs a few reads and no process. Never throws: what cannot be found out is unknown.
 */
export async function measureBranch(measure: BranchMeasure): Promise<BranchSize | Unknown> {
  return orUnknown(async () => {
    if (measure.branch === null) return { unknown: "HEAD is detached: there is no branch to measure." };
    return readKeptSize(measure) ?? (await measureAnew(measure, measure.branch));
  });
}

async function measureAnew(measure: BranchMeasure, branch: string): Promise<BranchSize | Unknown> {
  const { root, now, cacheFolder, cacheTtl, env, limits } = measure;
  const run = gitIn(root, env);
  const [obstacle, base] = await Promise.all([findObstacle(run), findBase(run, branch)]);
  if (obstacle !== undefined) return { unknown: obstacle };
  if ("unknown" in base) return base;
  const { head, ref } = base;
  if (ref === null) {
    const reason = `${branch} is the default branch and has no upstream to compare with.`;
    return { lines: 0, added: 0, removed: 0, base: null, reason };
  }
  const size = await compare(run, { head, ref, limits });
  if ("unknown" in size || cacheTtl <= 0) return size;
  const kept = await orUnknown(() => keepSize(cacheFolder, { root, branch, head, at: now, size }));
  return kept === undefined ? size : { ...size, problem: kept.unknown };
}

interface Sides {
  readonly head: string;
  readonly ref: string;
  readonly limits: ReadLimits | undefined;
}

async function compare(run: GitRun, { head, ref, limits }: Sides): Promise<BranchSize | Unknown> {
  const [changed, untracked] = await Promise.all([
    countChangedLines(run, head, ref),
    countUntracked(run, limits),
  ]);
  if ("unknown" in changed) return changed;
  if ("unknown" in untracked) return untracked;
  const [added, removed] = [changed.added + untracked.lines, changed.removed];
  const reason = "There are more new files than are read; the figure is at least so high.";
  return {
    ...{ lines: added + removed, added, removed, base: changed.base },
    ...(untracked.isCutShort && { reason }),
  };
}

/** A figure, and whose it is. */
interface Measured {
  readonly root: string;
  readonly branch: string;
  /** The commit that was checked out. */
  readonly head: string;
  readonly at: Date;
  readonly size: BranchSize;
}

/** Keeps a figure for the next time. */
async function keepSize(folder: string, { root, branch, head, at, size }: Measured): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweepStrays(folder);
  const text = JSON.stringify({ version: sizeVersion, root, branch, head, at: at.toISOString(), size });
  await writeFileAtomically(locateSize(folder, root, branch), `${text}\n`);
}
