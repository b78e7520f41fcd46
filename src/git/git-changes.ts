import { askGit } from "./git.ts";
import { hasCommit } from "./git-facts.ts";

/** Returns the commit that is checked out, or undefined before the first one and outside git. */
export async function readHead(cwd: string): Promise<string | undefined> {
  const { code, stdout } = await askGit(cwd, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return code === 0 ? stdout.trim() : undefined;
}

/**
 * Returns the files that differ from a commit and those that git does not track, by their paths from the top of the
 * work tree. A commit that is not there, as after a rebase, counts as HEAD.
 */
export async function readChangedFiles(root: string, since: string | undefined): Promise<readonly string[]> {
  const known = since !== undefined && (await hasCommit(root, since)) ? since : await readHead(root);
  const changed =
    known === undefined
      ? ["ls-files", "--cached", "-z"]
      : ["diff", "--name-only", "--no-renames", "--ignore-submodules=dirty", "-z", known, "--"];
  const answers = await Promise.all([
    askGit(root, changed),
    askGit(root, ["ls-files", "--others", "--exclude-standard", "-z"]),
  ]);
  const names = answers.flatMap(({ code, stdout }) => (code === 0 ? stdout.split("\0") : []));
  return [...new Set(names.filter((name) => name !== ""))].sort();
}
