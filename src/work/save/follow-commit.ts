import type { GitPath } from "../../git/git-path.ts";
import { GitRefused } from "../../git/git-refused.ts";
import type { TreeEntry } from "../../git/git-status.ts";
import type { Repository } from "../../git/repository.ts";
import { runGit } from "../../git/run-git.ts";
import { type IndexLine, indexInfo, renderIndexInfo } from "../../git/temporary-index.ts";

/** What a path was in the user's index before it was committed. */
export type IndexedPath = IndexLine;

/**
 * Lets the user's index follow a commit: paths that are in it as they were before are set to what the commit has.
 *
 * What somebody has staged since stays staged.
 */
export async function followCommit(repository: Repository, before: readonly IndexedPath[]): Promise<void> {
  const [staged, committed] = await Promise.all([readStaged(repository), readTree(repository)]);
  const lines = before
    .filter(({ path, entry }) => isSame(staged.get(path), entry))
    .map(({ path }) => ({ path, entry: committed.get(path) }));
  if (lines.length === 0) return;
  const input = renderIndexInfo(lines, repository.hashLength);
  const answer = await runGit({ ...repository.run, input }, indexInfo);
  if (answer.code !== 0) throw new GitRefused(answer.stderr);
  // Git would read each of these files again at its next look.
  await runGit(repository.run, ["update-index", "-q", "--refresh"]);
}

/** Tells whether both say the same of a path. */
export function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.hash === other?.hash;
}

async function readStaged({ run }: Repository): Promise<ReadonlyMap<GitPath, TreeEntry>> {
  const { stdout } = await runGit(run, ["ls-files", "--stage", "-z"]);
  return toMap(stdout, /^(\d+) ([0-9a-f]+) 0\t([\s\S]*)$/);
}

async function readTree({ run }: Repository): Promise<ReadonlyMap<GitPath, TreeEntry>> {
  const { stdout } = await runGit(run, ["ls-tree", "-r", "-z", "--full-tree", "HEAD"]);
  return toMap(stdout, /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]*)$/);
}

function toMap(text: string, line: RegExp): ReadonlyMap<GitPath, TreeEntry> {
  return new Map(
    text.split("\0").flatMap((each) => {
      const [, mode, hash, path] = line.exec(each) ?? [];
      return mode === undefined || hash === undefined || path === undefined
        ? []
        : [[path as GitPath, { mode, hash }] as const];
    }),
  );
}
