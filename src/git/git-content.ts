import { relative, sep } from "node:path";
import { offline } from "./git-run.ts";
import { askGit } from "./run/ask-git.ts";

/** What a file says in a commit; unreadable where a partial clone has not fetched it. */
export type Committed =
  | { readonly type: "none" }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "unreadable" };

/** Tells whether git holds the content of a file in any commit, index or stash; also when that cannot be found out. */
export async function holdsContent(root: string, path: string): Promise<boolean> {
  const { code, stdout } = await askGit(root, ["hash-object", "--", path]);
  if (code !== 0) return true;
  return (await askGit(root, [...offline, "cat-file", "-e", stdout.trim()])).code === 0;
}

/** Returns what a file says in the commit that is checked out. */
export async function readCommitted(root: string, path: string): Promise<Committed> {
  const name = relative(root, path).split(sep).join("/");
  const found = await askGit(root, ["rev-parse", "--verify", "--quiet", `HEAD:./${name}`]);
  if (found.code !== 0) return { type: "none" };
  const { code, stdout } = await askGit(root, [...offline, "cat-file", "blob", found.stdout.trim()]);
  return code === 0 ? { type: "text", text: stdout } : { type: "unreadable" };
}
