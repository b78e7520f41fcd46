import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import { posix } from "node:path";
import { hashFiles, readBlob, readContent, readSizes } from "../../git/file-content.ts";
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

/** A file that is gone, as the commit has it. */
export interface GoneFile {
  readonly path: GitPath;
  readonly head: TreeEntry;
}

/** As much as git asks of two files to be the same one, moved and changed. */
const enough = 0.5;
/** Bytes; larger files are compared by their kind and size, and more pairs by their names only. */
const [largest, mostPairs] = [1 << 20, 400];
/** A file in the place of an example that was filled in is more plausible than one in another folder. */
const [fits, fitsBest] = [enough, enough + 0.01];

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
    gone.length * leftOut.length <= mostPairs ? await readBlobs(repository, gone) : new Map<string, Sized>();
  const pairs = leftOut.flatMap(({ path }) => {
    const content = contents.size === 0 ? undefined : readSized(repository, path);
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

/** How large a file is, and its content unless it is too large to be compared. */
interface Sized {
  readonly size: number;
  readonly bytes: Buffer | undefined;
}

/** The same name counts more than what is in it: whoever moves a file keeps its name more often than not. */
function rate(
  { path: from }: GoneFile,
  to: GitPath,
  now: Sized | undefined,
  before: Sized | undefined,
): number {
  const similarity = now === undefined || before === undefined ? 0 : compare(from, to, before, now);
  if (posix.basename(from) === posix.basename(to)) return 1 + similarity;
  return Math.max(similarity, rateSettings(from, to));
}

function compare(from: GitPath, to: GitPath, before: Sized, now: Sized): number {
  if (before.bytes !== undefined && now.bytes !== undefined) return similarityOf(before.bytes, now.bytes);
  const isNear = Math.max(before.size, now.size) <= 2 * Math.min(before.size, now.size);
  return isNear && posix.extname(from) === posix.extname(to) ? fits : 0;
}

/** Settings of an environment are often renamed, an example of them above all, and then nothing stays as it was. */
function rateSettings(from: GitPath, to: GitPath): number {
  if (!isEnvironmentName(from) || !isEnvironmentName(to)) return 0;
  if (posix.dirname(from) === posix.dirname(to)) return fitsBest;
  return isMadeForSecrets(from) && isMadeForSecrets(to) ? fits : 0;
}

function readSized({ root }: RepositoryFiles, path: GitPath): Sized | undefined {
  const content = readContent(root, path);
  if (content.type === "too-big") return { size: content.size, bytes: undefined };
  if (content.type !== "bytes") return undefined;
  const size = content.bytes.length;
  return { size, bytes: size <= largest ? content.bytes : undefined };
}

async function readBlobs(
  repository: RepositoryFiles,
  gone: readonly GoneFile[],
): Promise<ReadonlyMap<string, Sized>> {
  const sizes = await readSizes(
    repository,
    gone.map(({ head }) => head),
  );
  const found = new Map<string, Sized>();
  for (const [hash, size] of sizes)
    found.set(hash, { size, bytes: size > largest ? undefined : await readBlob(repository.run, hash) });
  return found;
}

/**
 * Returns how much of two contents is the same, from 0 to 1: the bytes of the lines that both have, of the larger one.
 *
 * As git finds files that were moved and changed; where lines stand does not matter.
 */
function similarityOf(one: Buffer, other: Buffer): number {
  const largest = Math.max(one.length, other.length);
  if (largest === 0) return 1;
  const counts = new Map<string, number>();
  for (const line of linesOf(one)) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of linesOf(other)) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    common += line.length;
  }
  return common / largest;
}

/** Lines with their ends, a character for each byte. */
function linesOf(bytes: Buffer): readonly string[] {
  return bytes.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
