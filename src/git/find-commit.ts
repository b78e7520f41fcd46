import { offline } from "./git-in.ts";
import { type GitRun, runGit } from "./run-git.ts";

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
