import { createHash } from "node:crypto";
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { readSizes } from "../../git/file-content.ts";
import { type GitPath, locateFile } from "../../git/git-path.ts";
import type { ChangedPath, TreeEntry } from "../../git/git-status.ts";
import type { RepositoryFiles } from "../../git/repository.ts";
import { runGit } from "../../git/run-git.ts";

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
  const found = [...staged, ...(await hashFiles(repository, gone, others))];
  return new Map(found.filter(([, hash]) => hashes.has(hash)));
}

type Hashed = readonly [GitPath, string];

async function hashFiles(
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
    const stats = statIfThere(repository, path);
    if (stats?.isSymbolicLink()) links.push([path, hashLink(repository, path, gone)]);
    else if (stats?.isFile() && stats.size <= largest) files.push(path);
  }
  if (files.length === 0) return links;
  const input = files.map((path) => `${quote(path)}\n`).join("");
  const { stdout } = await runGit({ ...repository.run, input }, ["hash-object", "--stdin-paths"]);
  const lines = stdout.split("\n");
  return [...links, ...files.map((path, index) => [path, lines[index] ?? ""] as const)];
}

function statIfThere({ root }: RepositoryFiles, path: GitPath): Stats | undefined {
  return lstatSync(locateFile(root, path), { throwIfNoEntry: false });
}

/** Git would hash what the link leads to. */
function hashLink({ root }: RepositoryFiles, path: GitPath, [known]: readonly TreeEntry[]): string {
  const target = readlinkSync(locateFile(root, path), { encoding: "buffer" });
  const hash = createHash(known?.hash.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${target.length}\0`).update(target).digest("hex");
}

/** Git reads a path a line: what is more than a plain character is written as a number. */
function quote(path: GitPath): string {
  const escaped = path.replace(
    /[^\x20\x21\x23-\x5b\x5d-\x7e]/g,
    (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
