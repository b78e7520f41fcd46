import { countApart } from "./find-commit.ts";
import type { GitResult, GitRun } from "./git-run.ts";
import { runGit } from "./run/run-git.ts";

/** Switches to a branch; returns what git said where it would not. Ignored files are not overwritten. */
export async function switchTo(run: GitRun, branch: string): Promise<string | undefined> {
  const options = ["--quiet", "--no-overwrite-ignore", "--no-recurse-submodules"];
  const switched = await runGit(run, ["switch", ...options, branch]);
  return switched.code === 0 ? undefined : onOneLine(switched);
}

/** By how many commits a branch has gone forward, and what git said where it would not. */
export interface Forward {
  readonly forwarded: number;
  readonly hindrance?: string;
}

/** Goes forward to the upstream where that is only ahead. */
export async function forwardToUpstream(run: GitRun): Promise<Forward> {
  const apart = await countApart(run, "HEAD", "@{upstream}");
  if (apart === undefined || apart.first > 0 || apart.second === 0) return { forwarded: 0 };
  const args = ["merge", "--quiet", "--ff-only", "--no-overwrite-ignore", "--no-stat", "@{upstream}"];
  const merged = await runGit(run, args);
  return merged.code === 0 ? { forwarded: apart.second } : { forwarded: 0, hindrance: onOneLine(merged) };
}

/** Makes a work tree with a detached HEAD at a commit; returns what git said where it would not. */
export async function addWorktree(run: GitRun, path: string, commit: string): Promise<string | undefined> {
  const made = await runGit(run, ["worktree", "add", "--quiet", "--detach", path, commit]);
  return made.code === 0 ? undefined : made.stderr.trim();
}

/** Removes a work tree with all that is in it, also when whoever waited for it does not any more. */
export async function removeWorktree(run: GitRun, path: string): Promise<void> {
  await runGit({ ...run, signal: undefined }, ["worktree", "remove", "--force", path]);
}

function onOneLine({ stderr }: GitResult): string {
  return stderr.trim().replace(/\s*\n\s*/g, " ");
}
