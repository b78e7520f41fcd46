import { posix } from "node:path";
import type { GitPath } from "../git-path.ts";
import type { ChangedPath, TreeEntry } from "../git-status.ts";
import { runGit } from "../run-git.ts";
import { readContent } from "./changed-content.ts";
import { readSizes } from "./gone-files.ts";
import type { RepositoryFiles } from "./repository.ts";
import { isEnvironmentName } from "./secret-names.ts";
import { similarityOf } from "./similarity.ts";

/** A file that is gone, as the commit has it. */
export interface GoneFile {
  readonly path: GitPath;
  readonly head: TreeEntry;
}

/** As much as git asks of two files to be the same one, moved and changed. */
const enough = 0.5;
/** Bytes; larger files, and more pairs, are compared by their names only. */
const [largest, mostPairs] = [1 << 20, 400];

/**
 * Returns which files that are gone have plausibly been moved to a file that is left out, and to which.
 *
 * Without that, the commit would have the deletion only, and nobody who gets it the file.
 */
export async function findLeftBehind(
  repository: RepositoryFiles,
  gone: readonly GoneFile[],
  leftOut: readonly ChangedPath[],
): Promise<ReadonlyMap<GitPath, GitPath>> {
  if (gone.length === 0 || leftOut.length === 0) return new Map();
  const contents =
    gone.length * leftOut.length <= mostPairs ? await readBlobs(repository, gone) : new Map<string, Buffer>();
  const pairs = leftOut.flatMap(({ path }) => {
    const content = contents.size === 0 ? undefined : readSmall(repository, path);
    return gone.flatMap((file) => {
      const score = rate(file, path, content, contents.get(file.head.hash));
      return score >= enough ? [{ from: file.path, to: path, score }] : [];
    });
  });
  const found = new Map<GitPath, GitPath>();
  const used = new Set<GitPath>();
  for (const { from, to } of pairs.toSorted((one, other) => other.score - one.score)) {
    if (found.has(from) || used.has(to)) continue;
    found.set(from, to);
    used.add(to);
  }
  return found;
}

/** The same name counts more than what is in it: whoever moves a file keeps its name more often than not. */
function rate(
  { path: from }: GoneFile,
  to: GitPath,
  content: Buffer | undefined,
  before: Buffer | undefined,
): number {
  const similarity = content === undefined || before === undefined ? 0 : similarityOf(before, content);
  if (posix.basename(from) === posix.basename(to)) return 1 + similarity;
  return isFilledIn(from, to) ? Math.max(enough, similarity) : similarity;
}

/** An example of the settings of an environment is often renamed, and then nothing in it stays as it was. */
function isFilledIn(from: GitPath, to: GitPath): boolean {
  return posix.dirname(from) === posix.dirname(to) && isEnvironmentName(from) && isEnvironmentName(to);
}

function readSmall({ root }: RepositoryFiles, path: GitPath): Buffer | undefined {
  const content = readContent(root, path);
  return content.type === "bytes" && content.bytes.length <= largest ? content.bytes : undefined;
}

async function readBlobs(
  repository: RepositoryFiles,
  gone: readonly GoneFile[],
): Promise<ReadonlyMap<string, Buffer>> {
  const sizes = await readSizes(
    repository,
    gone.map(({ head }) => head),
  );
  const found = new Map<string, Buffer>();
  for (const [hash, size] of sizes) {
    if (size > largest) continue;
    // A partial clone would ask its server for what is not there.
    const question = ["-c", "protocol.allow=never", "cat-file", "blob", hash];
    const { code, stdout } = await runGit(repository.run, question);
    if (code === 0) found.set(hash, Buffer.from(stdout, "latin1"));
  }
  return found;
}
