import { mkdir } from "node:fs/promises";
import { gitIn, lastLine, offline } from "../../git/git-in.ts";
import { readOperation } from "../../git/git-operation.ts";
import { type GitRun, runGit } from "../../git/run-git.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { sweepStrays } from "../../lib/temp-files.ts";
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

/** What a branch is measured against. */
interface Base {
  /** The commit at the tip of the branch. */
  readonly head: string;
  /** The ref of the default branch, or of the upstream of the default branch itself; null where that has none. */
  readonly ref: string | null;
}

const remote = "refs/remotes/origin/";
const local = "refs/heads/";

/** The names of a default branch where the remote does not say which it is; what is on the remote is newer. */
const usual: readonly string[] = ["main", "master"].flatMap((name) => [
  `${remote}${name}`,
  `${local}${name}`,
]);

interface Ref {
  readonly commit: string;
  readonly target: string;
  readonly upstream: string;
  readonly isCheckedOut: boolean;
}

/** Finds what a branch that is checked out is measured against. One git process, however many branches there are. */
async function findBase(run: GitRun, branch: string): Promise<Base | Unknown> {
  const format = "%(refname)%00%(objectname)%00%(symref)%00%(upstream)%00%(HEAD)";
  const names = [`${local}${branch}`, `${remote}HEAD`, ...usual];
  const { code, stdout, stderr } = await runGit(run, ["for-each-ref", `--format=${format}`, ...names]);
  if (code !== 0) return { unknown: `Git cannot list the branches: ${lastLine(stderr)}` };
  const refs = parseRefs(Buffer.from(stdout, "latin1").toString());
  const own = refs.get(`${local}${branch}`);
  if (own === undefined) return { unknown: `The branch ${branch} has no commit yet.` };
  if (!own.isCheckedOut) return { unknown: `The branch ${branch} is not the one that is checked out.` };
  const base = refs.get(`${remote}HEAD`)?.target || usual.find((name) => refs.has(name));
  if (base === undefined)
    return { unknown: "There is no default branch: neither origin/HEAD nor main nor master." };
  const isDefault = base === `${local}${branch}` || base === `${remote}${branch}`;
  if (!isDefault) return { head: own.commit, ref: base };
  return { head: own.commit, ref: (await hasCommit(run, own.upstream)) ? own.upstream : null };
}

/** An upstream may be gone, or not be there yet: the clone of an empty repository has one from the beginning. */
async function hasCommit(run: GitRun, ref: string): Promise<boolean> {
  if (ref === "") return false;
  return (await runGit(run, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`])).code === 0;
}

function parseRefs(text: string): ReadonlyMap<string, Ref> {
  return new Map(
    text.split("\n").map((line) => {
      const [name = "", commit = "", target = "", upstream = "", mark = ""] = line.split("\0");
      return [name, { commit, target, upstream, isCheckedOut: mark === "*" }];
    }),
  );
}
