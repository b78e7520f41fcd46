import type { GitPath } from "../../git/git-path.ts";
import { type GitRun, runGit } from "../../git/run-git.ts";

/**
 * Lists the files that git does not show although what is written to them counts: those of `update-index --assume-unchanged`
 * and `--skip-worktree`, and the lists of what is ignored that are ignored themselves, since what is written beside them is
 * not shown either.
 */
export async function listHidden(run: GitRun): Promise<readonly GitPath[]> {
  const [tracked, ignored] = await Promise.all([
    list(run, ["-v"]),
    list(run, ["-o", "-i", "--exclude-standard", "--directory", "--", ":(glob)**/.gitignore"]),
  ]);
  return [
    ...tracked.flatMap((line) => (/^[a-zS] /.test(line) ? [line.slice(2) as GitPath] : [])),
    ...(ignored as readonly GitPath[]).filter((path) => path.endsWith(".gitignore") && !cached.test(path)),
  ];
}

/** Folders that tools fill with what they can make again, and have git ignore by a list inside. */
const cached =
  /(?:^|\/)(?:\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.tox|\.nox|\.venv|venv)\/\.gitignore$/;

async function list(run: GitRun, args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout } = await runGit(run, ["ls-files", "-z", ...args]);
  // Whatever is wrong with the index, the comparison with it says so.
  return code === 0 ? stdout.split("\0") : [];
}
