import type { GitPath } from "./git-path.ts";
import { type GitRun, lastLine, offline } from "./git-run.ts";
import { type ChangedPath, type TreeEntry, toEntry } from "./git-status.ts";
import { runGit } from "./run/run-git.ts";

/** The mode of a submodule. */
export const submoduleMode = "160000";

/** What two trees have of a path that differs between them. */
export interface PathChange {
  readonly path: GitPath;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** Reads what `--raw -z --no-renames` prints: `:mode mode hash hash status NUL path NUL`, once for each path. */
export function parseRawDiff(text: string): readonly PathChange[] {
  const fields = text.split("\0");
  const changes: PathChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", newMode = "", hash = "", newHash = ""] = fields[at]?.slice(1).split(" ") ?? [];
    const path = fields[at + 1] as GitPath;
    changes.push({ path, before: toEntry(mode, hash), after: toEntry(newMode, newHash) });
  }
  return changes;
}

/** The hashes of a tree without files, which git knows without having it. */
const emptyTree = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Compares two commits; null stands for nothing at all. */
export async function compareCommits(
  run: GitRun,
  from: string | null,
  to: string | null,
): Promise<readonly PathChange[]> {
  const empty = (from ?? to)?.length === 64 ? emptyTree.sha256 : emptyTree.sha1;
  const question = ["diff-tree", "-r", "-z", "--raw", "--no-renames", from ?? empty, to ?? empty];
  const { code, stdout, stderr } = await runGit(run, [...offline, ...question]);
  if (code !== 0) throw new Error(`Git cannot compare the commits of then and now: ${lastLine(stderr)}`);
  return parseRawDiff(stdout);
}

/** Reads what a commit does to files, as if all of it were staged. */
export async function readCommitChanges(run: GitRun, commit: string): Promise<readonly ChangedPath[]> {
  const question = ["diff-tree", "--root", "--no-commit-id", "-r", "-z", "--no-renames", commit, "--"];
  const { stdout } = await runGit(run, question);
  return parseRawDiff(stdout).map(({ path, before, after }) => ({
    ...{ path, isUntracked: false, isUnmerged: false, isStaged: true, isModified: false, isGone: false },
    ...{ head: before, index: after },
    ...(after?.mode === submoduleMode && { submodule: { hasMoved: true, isDirty: false } }),
  }));
}
