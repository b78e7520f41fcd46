import { GitRefused } from "../../git/git-refused.ts";
import type { ChangedPath } from "../../git/git-status.ts";
import type { Repository } from "../../git/repository.ts";
import { runGit } from "../../git/run-git.ts";
import type { TemporaryIndex } from "../../git/temporary-index.ts";

/** Where the content is kept that was staged and is neither in a commit nor in the work tree. */
export const stagedRef = "refs/carryon/staged";

/** Tells whether the index holds content of a file that nothing else does. */
export function isOnlyStaged({ index, head, isStaged, isModified }: ChangedPath): boolean {
  return index !== undefined && index.hash !== head?.hash && isStaged && isModified;
}

/**
 * Keeps what is staged under a ref of its own, before the work tree takes its place in the index.
 *
 * Each is a parent of the next, so that none is ever lost.
 */
export async function keepStaged(
  { run }: Repository,
  index: TemporaryIndex,
  head: string | undefined,
): Promise<void> {
  const tree = await index.writeTree();
  const before = await runGit(run, ["rev-parse", "--verify", "--quiet", `${stagedRef}^{commit}`]);
  const parents = [
    ...(head === undefined ? [] : [head]),
    ...(before.code === 0 ? [before.stdout.trim()] : []),
  ];
  const made = await runGit({ ...run, input: "What was staged before a checkpoint took the work tree\n" }, [
    "commit-tree",
    "--no-gpg-sign",
    tree,
    ...[...new Set(parents)].flatMap((parent) => ["-p", parent]),
  ]);
  if (made.code !== 0) throw new GitRefused(made.stderr);
  const kept = await runGit(run, ["update-ref", "-m", "carryon save", stagedRef, made.stdout.trim()]);
  if (kept.code !== 0) throw new GitRefused(kept.stderr);
}
