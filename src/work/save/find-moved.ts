import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import { posix } from "node:path";
import { hashFiles, readSizes } from "../../git/file-content.ts";
import { type GitPath, locateFile } from "../../git/git-path.ts";
import type { ChangedPath, TreeEntry } from "../../git/git-status.ts";
import type { RepositoryFiles } from "../../git/repository.ts";
import { isEnvironmentName, isMadeForSecrets } from "./leave-out.ts";

/**
 * Returns which of these files have the content of one that is gone, and its hash: they have been moved.
 *
 * Without them the commit would have the deletion only.
 */
export async function findMoved(
  repository: RepositoryFiles,
  gone: readonly TreeEntry[],
  candidates: readonly ChangedPath[],
): Promise<ReadonlyMap<GitPath, string>> {
  if (gone.length === 0 || candidates.length === 0) return new Map();
  const hashes = new Set(gone.map(({ hash }) => hash));
  const staged = candidates.flatMap(({ path, index, isModified }) =>
    index === undefined || isModified ? [] : [[path, index.hash] as const],
  );
  const known = new Set(staged.map(([path]) => path));
  const others = candidates.map(({ path }) => path).filter((path) => !known.has(path));
  const found = [...staged, ...(await hashCandidates(repository, gone, others))];
  return new Map(found.filter(([, hash]) => hashes.has(hash)));
}

type Hashed = readonly [GitPath, string];

async function hashCandidates(
  repository: RepositoryFiles,
  gone: readonly TreeEntry[],
  paths: readonly GitPath[],
): Promise<readonly Hashed[]> {
  if (paths.length === 0) return [];
  const sizes = await readSizes(repository, gone);
  // Git may turn the ends of lines: a file can be up to twice as large as what it keeps. A larger one is not read.
  const largest = gone.reduce((most, { hash }) => Math.max(most, sizes.get(hash) ?? Infinity), 0) * 2;
  const links: Hashed[] = [];
  const files: GitPath[] = [];
  for (const path of paths) {
    const stats = lstatSync(locateFile(repository.root, path), { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) links.push([path, hashLink(repository, path, gone)]);
    else if (stats?.isFile() && stats.size <= largest) files.push(path);
  }
  if (files.length === 0) return links;
  const hashes = await hashFiles(repository.run, files);
  return [...links, ...files.map((path, index) => [path, hashes[index] ?? ""] as const)];
}

/** Git would hash what the link leads to. */
function hashLink({ root }: RepositoryFiles, path: GitPath, [known]: readonly TreeEntry[]): string {
  const target = readlinkSync(locateFile(root, path), { encoding: "buffer" });
  const hash = createHash(known?.hash.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${target.length}\0`).update(target).digest("hex");
}

/**
 * Returns which files that are gone have plausibly been moved to a file that is left out, and to which: their names say so.
 *
 * Without that, the commit would have the deletion only, and nobody who gets it the file.
 */
export function findLeftBehind(
  gone: readonly GitPath[],
  leftOut: readonly GitPath[],
): ReadonlyMap<GitPath, GitPath> {
  const pairs = leftOut.flatMap((to) => gone.map((from) => ({ from, to, score: rate(from, to) })));
  const found = new Map<GitPath, GitPath>();
  const used = new Set<GitPath>();
  for (const { from, to, score } of pairs.toSorted((one, other) => other.score - one.score)) {
    if (score === 0 || found.has(from) || used.has(to)) continue;
    found.set(from, to);
    used.add(to);
  }
  return found;
}

/** Whoever moves a file most often keeps its name. Settings of an environment are often renamed, an example of them above all. */
function rate(from: GitPath, to: GitPath): number {
  if (posix.basename(from) === posix.basename(to)) return 3;
  if (!isEnvironmentName(from) || !isEnvironmentName(to)) return 0;
  if (posix.dirname(from) === posix.dirname(to)) return 2;
  return isMadeForSecrets(from) && isMadeForSecrets(to) ? 1 : 0;
}
