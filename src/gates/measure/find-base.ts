import { lastLine } from "../../git/git-in.ts";
import { type GitRun, runGit } from "../../git/run-git.ts";
import type { Unknown } from "./unknown.ts";

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
export async function findBase(run: GitRun, branch: string): Promise<Base | Unknown> {
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
