import type { GitPath } from "../../work/git-path.ts";
import { type GitRun, runGit } from "../../work/run-git.ts";

/**
 * Lists the files that git was told not to look at: those of `update-index --assume-unchanged` and `--skip-worktree`. What
 * is written to them, `git status` does not show.
 */
export async function listHidden(run: GitRun): Promise<readonly GitPath[]> {
  const { code, stdout } = await runGit(run, ["ls-files", "-v", "-z"]);
  // Whatever is wrong with the index, the comparison with it says so.
  if (code !== 0) return [];
  return stdout.split("\0").flatMap((line) => (/^[a-zS] /.test(line) ? [line.slice(2) as GitPath] : []));
}
