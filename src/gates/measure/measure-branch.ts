import { gitIn, lastLine, offline } from "../../git/git-in.ts";
import { readOperation } from "../../git/git-operation.ts";
import { type GitRun, runGit } from "../../git/run-git.ts";
import type { BranchMeasure, BranchSize } from "./branch-size.ts";
import { countUntracked, type ReadLimits } from "./count-untracked.ts";
import { findBase } from "./find-base.ts";
import { keepSize } from "./keep-size.ts";
import { readKeptSize } from "./read-kept-size.ts";
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

/** Says what is in the way of any figure: there is no work tree, or it is in the middle of something. */
async function findObstacle(run: GitRun): Promise<string | undefined> {
  const question = ["rev-parse", "--is-inside-work-tree", "--absolute-git-dir"];
  const { code, stdout, stderr } = await runGit(run, question);
  if (code !== 0) return `Git cannot read this repository: ${lastLine(stderr)}`;
  const [isInside, ...folder] = Buffer.from(stdout, "latin1").toString().replace(/\n$/, "").split("\n");
  if (isInside !== "true") return "There is no work tree here.";
  const operation = await readOperation(folder.join("\n"));
  return (
    operation && `A ${operation} is under way: what it brings cannot be told from the branch's own work.`
  );
}

interface Sides {
  readonly head: string;
  readonly ref: string;
  readonly limits: ReadLimits | undefined;
}

async function compare(run: GitRun, { head, ref, limits }: Sides): Promise<BranchSize | Unknown> {
  const [changed, untracked] = await Promise.all([countChanged(run, head, ref), countUntracked(run, limits)]);
  if ("unknown" in changed) return changed;
  if ("unknown" in untracked) return untracked;
  const [added, removed] = [changed.added + untracked.lines, changed.removed];
  const reason = "There are more new files than are read; the figure is at least so high.";
  return {
    ...{ lines: added + removed, added, removed, base: changed.base },
    ...(untracked.isCutShort && { reason }),
  };
}

interface Changed {
  readonly added: number;
  readonly removed: number;
  readonly base: string;
}

async function countChanged(run: GitRun, head: string, ref: string): Promise<Changed | Unknown> {
  const found = await runGit(run, [...offline, "merge-base", head, ref]);
  const base = found.stdout.trim();
  if (found.code === 1) return { unknown: await describeApart(run, ref) };
  if (found.code !== 0) return { unknown: `Git cannot find the merge base: ${lastLine(found.stderr)}` };
  const { code, stdout, stderr } = await runGit(run, [...offline, ...difference, base, "--"]);
  if (code !== 0) return { unknown: `Git cannot compare the work tree: ${lastLine(stderr)}` };
  return { ...sum(stdout), base };
}

/** The user's settings must neither run a program nor leave anything out. */
const difference: readonly string[] = [
  ...["diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative"],
  ...["-O/dev/null", "--ignore-submodules=dirty", "--submodule=short"],
];

async function describeApart(run: GitRun, ref: string): Promise<string> {
  const { stdout } = await runGit(run, ["rev-parse", "--is-shallow-repository"]);
  return stdout.trim() === "true"
    ? `The clone is shallow: it does not reach back to where the branch left ${ref}.`
    : `The branch and ${ref} have no common beginning.`;
}

/** A record is `added TAB removed TAB path`, with dashes for the numbers of a binary file. */
function sum(text: string): Omit<Changed, "base"> {
  let [added, removed] = [0, 0];
  for (const record of text.split("\0")) {
    const [more, less] = record.split("\t", 2);
    added += Number(more) || 0;
    removed += Number(less) || 0;
  }
  return { added, removed };
}
