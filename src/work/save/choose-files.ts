import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import { posix } from "node:path";
import {
  hashFiles,
  isKeptByLfs,
  isNamedSubmodule,
  nothingThere,
  readBlob,
  readBlobs,
  readChanged,
  readSizes,
} from "../../git/file-content.ts";
import { describePath, type GitPath, locateFile } from "../../git/git-path.ts";
import type { ChangedPath, TreeEntry } from "../../git/git-status.ts";
import { isInWorkTree } from "../../git/read-changes.ts";
import type { RepositoryFiles } from "../../git/repository.ts";
import {
  isAboutContent,
  isEnvironmentName,
  isMadeForSecrets,
  type Judgement,
  type JudgeOptions,
  judgeFile,
  type LeftOut,
  type Taken,
} from "./leave-out.ts";

/** What is committed of the changed files, and what is not. */
export interface Choice {
  readonly taken: readonly Taken[];
  readonly leftOut: readonly LeftOut[];
}

/** How many files are read at once. */
const atOnce = 16;

/** Decides of each changed file whether it is committed. Files in conflict are neither. */
export async function chooseFiles(
  repository: RepositoryFiles,
  changes: readonly ChangedPath[],
): Promise<Choice> {
  const { run, root } = repository;
  const gone = findGone(root, changes);
  let goneContents: Promise<string> | undefined;
  const options: JudgeOptions = {
    isKeptElsewhere: (path) => isKeptByLfs(run, path),
    readCommitted: async ({ head }) => (await readBlob(run, head?.hash ?? ""))?.toString() ?? "",
    isSubmodule: (path) => isNamedSubmodule(run, path),
    readGone: () => {
      goneContents ??= readBlobs(repository, gone);
      return goneContents;
    },
  };
  const judgements: Judgement[] = [];
  const waiting = changes.filter(({ isUnmerged }) => !isUnmerged);
  for (let at = 0; at < waiting.length; at += atOnce) {
    const some = waiting.slice(at, at + atOnce);
    const contents = readChanged(root, some);
    judgements.push(
      ...(await Promise.all(
        some.map((change, nth) => judgeFile(change, contents[nth] ?? nothingThere, options)),
      )),
    );
  }
  const left = judgements.flatMap((each) => (each.type === "left-out" ? [each.file] : []));
  const doubtful = new Set(left.filter(isAboutContent).map(({ path }) => path));
  const candidates = waiting.filter(({ path }) => doubtful.has(path));
  const all = listGone(root, waiting);
  const moved = keepFromSecrets(await findMoved(repository, gone, candidates), all);
  const hashes = new Set(moved.values());
  const behind = findLeftBehind(
    all.filter(({ head }) => !hashes.has(head.hash)).map(({ path }) => path),
    candidates.filter(({ path, head }) => head === undefined && !moved.has(path)).map(({ path }) => path),
  );
  return {
    taken: judgements.flatMap(({ type, file: { path, sha256 } }) =>
      (type === "taken" && !behind.has(path)) || moved.has(path) ? [{ path, sha256 }] : [],
    ),
    leftOut: [...left.filter(({ path }) => !moved.has(path)), ...[...behind].map(toLeftBehind)],
  };
}

/** Returns what the commit has of the files that the work tree has no more. */
function findGone(root: string, changes: readonly ChangedPath[]): readonly TreeEntry[] {
  return changes.flatMap(({ path, head, index, isGone, isUnmerged, submodule }) => {
    if (head === undefined || !isGone || isUnmerged || submodule !== undefined) return [];
    // What was only taken out of the index stays in the work tree, and nobody has moved it.
    return index === undefined && isInWorkTree(root, path) ? [] : [head];
  });
}

/** A file that is gone, as the commit has it. */
interface GoneFile {
  readonly path: GitPath;
  readonly head: TreeEntry;
}

function listGone(root: string, changes: readonly ChangedPath[]): readonly GoneFile[] {
  return changes.flatMap((change) => findGone(root, [change]).map((head) => ({ path: change.path, head })));
}

/**
 * Takes out what was moved to a new `.env`: an example says nothing of what will be written there, and once it is
 * committed everything in it is.
 */
function keepFromSecrets(
  moved: ReadonlyMap<GitPath, string>,
  gone: readonly GoneFile[],
): ReadonlyMap<GitPath, string> {
  const known = new Set(gone.filter(({ path }) => isMadeForSecrets(path)).map(({ head }) => head.hash));
  const isNew = (path: GitPath, hash: string) =>
    isEnvironmentName(path) && isMadeForSecrets(path) && !known.has(hash);
  return new Map([...moved].filter(([path, hash]) => !isNew(path, hash)));
}

function toLeftBehind([path, to]: readonly [GitPath, GitPath]): LeftOut {
  return { path, sha256: null, reason: "moved-away", detail: describePath(to) };
}

/**
 * Returns which of these files have the content of one that is gone, and its hash: they have been moved.
 *
 * Without them the commit would have the deletion only.
 */
async function findMoved(
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
function findLeftBehind(
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
