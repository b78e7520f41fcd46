import type { ChangedPath, TreeEntry } from "../../git/git-status.ts";
import type { RepositoryFiles } from "../../git/repository.ts";
import { runGit } from "../../git/run-git.ts";
import { isInWorkTree } from "./read-changes.ts";

/** A partial clone would ask its server for what is not there. */
const here = ["-c", "protocol.allow=never"];

/** More than this is not read to look for secrets in it. */
const [largestBlob, mostBytes] = [5 * 1024 * 1024, 64 * 1024 * 1024];

/** Returns what the commit has of the files that the work tree has no more. */
export function findGone(root: string, changes: readonly ChangedPath[]): readonly TreeEntry[] {
  return changes.flatMap(({ path, head, index, isGone, isUnmerged, submodule }) => {
    if (head === undefined || !isGone || isUnmerged || submodule !== undefined) return [];
    // What was only taken out of the index stays in the work tree, and nobody has moved it.
    return index === undefined && isInWorkTree(root, path) ? [] : [head];
  });
}

/** Returns how large contents are; those that this clone does not have are missing. */
export async function readSizes(
  { run }: RepositoryFiles,
  entries: readonly TreeEntry[],
): Promise<ReadonlyMap<string, number>> {
  const input = entries.map(({ hash }) => `${hash}\n`).join("");
  const question = [...here, "cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const { stdout } = await runGit({ ...run, input }, question);
  return new Map(
    stdout.split("\n").flatMap((line) => {
      const [, hash, size] = /^([0-9a-f]+) (\d+)$/.exec(line) ?? [];
      return hash === undefined || size === undefined ? [] : [[hash, Number(size)] as const];
    }),
  );
}

/** Returns the contents of files, one after the other, as far as they are of a size to be searched. */
export async function readContents(
  repository: RepositoryFiles,
  entries: readonly TreeEntry[],
): Promise<string> {
  if (entries.length === 0) return "";
  let room = mostBytes;
  const wanted: string[] = [];
  for (const [hash, size] of await readSizes(repository, entries)) {
    if (size > largestBlob || size > room) continue;
    room -= size;
    wanted.push(`${hash}\n`);
  }
  const run = { ...repository.run, input: wanted.join("") };
  const { stdout } = await runGit(run, [...here, "cat-file", "--batch"]);
  return Buffer.from(stdout, "latin1").toString();
}
