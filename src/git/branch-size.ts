import { isCommit, isShallow } from "./find-commit.ts";
import { type GitRun, lastLine, offline } from "./git-run.ts";
import { readOperation } from "./repository.ts";
import { runGit } from "./run/run-git.ts";

/** What git could not tell, and why, in a sentence. */
interface Unclear {
  readonly unknown: string;
}

/** Says what is in the way of any figure: there is no work tree, or it is in the middle of something. */
export async function findObstacle(run: GitRun): Promise<string | undefined> {
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

/** How many lines a branch and its work tree have added and removed since they left a ref. */
export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
  readonly base: string;
}

/** Counts the lines of the commits of a branch, of what is staged and of what is not; no untracked files. */
export async function countChangedLines(
  run: GitRun,
  head: string,
  ref: string,
): Promise<ChangedLines | Unclear> {
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
  return (await isShallow(run))
    ? `The clone is shallow: it does not reach back to where the branch left ${ref}.`
    : `The branch and ${ref} have no common beginning.`;
}

/** A record is `added TAB removed TAB path`, with dashes for the numbers of a binary file. */
function sum(text: string): Omit<ChangedLines, "base"> {
  let [added, removed] = [0, 0];
  for (const record of text.split("\0")) {
    const [more, less] = record.split("\t", 2);
    added += Number(more) || 0;
    removed += Number(less) || 0;
  }
  return { added, removed };
}

/** What a branch is measured against. */
export interface Base {
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
export async function findBase(run: GitRun, branch: string): Promise<Base | Unclear> {
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
  // An upstream may be gone, or not be there yet: the clone of an empty repository has one from the beginning.
  const hasUpstream = own.upstream !== "" && (await isCommit(run, own.upstream));
  return { head: own.commit, ref: hasUpstream ? own.upstream : null };
}

function parseRefs(text: string): ReadonlyMap<string, Ref> {
  return new Map(
    text.split("\n").map((line) => {
      const [name = "", commit = "", target = "", upstream = "", mark = ""] = line.split("\0");
      return [name, { commit, target, upstream, isCheckedOut: mark === "*" }];
    }),
  );
}
