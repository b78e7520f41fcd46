import { type GitRun, offline } from "./git-run.ts";
import { runGit } from "./run/run-git.ts";

/** What is known of an abbreviated commit. */
export type FoundCommit =
  | { readonly type: "commit"; readonly hash: string }
  | { readonly type: "unknown" }
  /** Several commits begin so. */
  | { readonly type: "ambiguous" };

/** Tells whether a text is the hash of a commit, or the beginning of one, and so no option and no other revision. */
export function isCommitName(text: string): boolean {
  return /^[0-9a-f]{4,64}$/.test(text);
}

/** Returns the beginning of a hash for people. */
export function shortOf(hash: string | undefined): string {
  return hash === undefined ? "no commit" : hash.slice(0, 7);
}

/** Finds a commit by the beginning of its hash. A branch or a tag of that name does not count. */
export async function findCommit(run: GitRun, prefix: string): Promise<FoundCommit> {
  if (!isCommitName(prefix)) return { type: "unknown" };
  const { stdout: input } = await runGit(run, [...offline, "rev-parse", `--disambiguate=${prefix}`]);
  const question = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
  const { stdout } = await runGit({ ...run, input }, [...offline, ...question]);
  const commits = Array.from(stdout.matchAll(/^([0-9a-f]+) commit$/gm), ([, hash = ""]) => hash);
  const [hash, ...others] = commits;
  if (hash === undefined) return { type: "unknown" };
  return others.length === 0 ? { type: "commit", hash } : { type: "ambiguous" };
}

/** Tells whether a ref or a hash names a commit that this clone has. */
export async function isCommit(run: GitRun, name: string): Promise<boolean> {
  return (await runGit(run, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`])).code === 0;
}

/** Tells whether a clone does not have all of its history. */
export async function isShallow(run: GitRun): Promise<boolean> {
  return (await runGit(run, ["rev-parse", "--is-shallow-repository"])).stdout.trim() === "true";
}

/** Counts the commits up to HEAD. */
export async function countCommits(run: GitRun): Promise<number> {
  return Number((await runGit(run, ["rev-list", "--count", "HEAD", "--"])).stdout);
}

/** How many commits only the first of two has, and how many only the second. */
export interface Apart {
  readonly first: number;
  readonly second: number;
}

/** Counts the commits that only one of two has; undefined where git does not know both. */
export async function countApart(run: GitRun, first: string, second: string): Promise<Apart | undefined> {
  const question = ["rev-list", "--left-right", "--count", `${first}...${second}`, "--"];
  const { code, stdout } = await runGit(run, question);
  const [left = 0, right = 0] = stdout.trim().split(/\s+/).map(Number);
  return code === 0 ? { first: left, second: right } : undefined;
}
