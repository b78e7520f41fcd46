import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { isSystemError } from "../lib/app-error.ts";
import { type GitPath, locateFile } from "./git-path.ts";
import { type GitRun, offline } from "./git-run.ts";
import type { ChangedPath, TreeEntry } from "./git-status.ts";
import type { RepositoryFiles } from "./repository.ts";
import { runGit } from "./run/run-git.ts";

/** What the work tree has of a path. */
export type Content =
  | { readonly type: "gone" | "unreadable" | "not-a-file"; readonly sha256: null }
  | { readonly type: "too-big"; readonly size: number; readonly sha256: null }
  | { readonly type: "bytes"; readonly bytes: Buffer; readonly sha256: string };

/** What a file has that is not there. */
export const nothingThere: Content = { type: "gone", sha256: null };

/** Larger files do not belong into a checkpoint. */
export const largestFile = 5 * 1024 * 1024;

/**
 * Reads a file, or where a link leads to: that is what git keeps of it.
 *
 * Waits for the disk: there may be a hundred thousand of them, and a promise costs several times what it reads.
 */
export function readContent(root: string, path: GitPath): Content {
  const file = locateFile(root, path);
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return toContent(readlinkSync(file, { encoding: "buffer" }));
    if (stats.isDirectory()) return nothingThere;
    if (!stats.isFile()) return { type: "not-a-file", sha256: null };
    if (stats.size > largestFile) return { type: "too-big", size: stats.size, sha256: null };
    return toContent(readFileSync(file));
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return nothingThere;
    if (isSystemError(error, "EACCES", "EPERM")) return { type: "unreadable", sha256: null };
    throw error;
  }
}

function toContent(bytes: Buffer): Content {
  return { type: "bytes", bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** Reads what the work tree has of changed files. */
export function readChanged(root: string, changes: readonly ChangedPath[]): readonly Content[] {
  return changes.map(({ path, isGone, isTakenOut }) =>
    // A file that is gone may seem to be there behind a link that has taken the place of its folder.
    isGone && !isTakenOut ? nothingThere : readContent(root, path),
  );
}

/** More than this is not read to look for secrets in it. */
const [largestBlob, mostBytes] = [5 * 1024 * 1024, 64 * 1024 * 1024];

/** Returns how large contents are; those that this clone does not have are missing. */
export async function readSizes(
  { run }: RepositoryFiles,
  entries: readonly TreeEntry[],
): Promise<ReadonlyMap<string, number>> {
  const input = entries.map(({ hash }) => `${hash}\n`).join("");
  const question = [...offline, "cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const { stdout } = await runGit({ ...run, input }, question);
  return new Map(
    stdout.split("\n").flatMap((line) => {
      const [, hash, size] = /^([0-9a-f]+) (\d+)$/.exec(line) ?? [];
      return hash === undefined || size === undefined ? [] : [[hash, Number(size)] as const];
    }),
  );
}

/** Returns the contents of files of a commit, one after the other, as far as they are of a size to be searched. */
export async function readBlobs(repository: RepositoryFiles, entries: readonly TreeEntry[]): Promise<string> {
  if (entries.length === 0) return "";
  let room = mostBytes;
  const wanted: string[] = [];
  for (const [hash, size] of await readSizes(repository, entries)) {
    if (size > largestBlob || size > room) continue;
    room -= size;
    wanted.push(`${hash}\n`);
  }
  const run = { ...repository.run, input: wanted.join("") };
  const { stdout } = await runGit(run, [...offline, "cat-file", "--batch"]);
  return Buffer.from(stdout, "latin1").toString();
}

/** Returns a content; undefined where this clone does not have it. */
export async function readBlob(run: GitRun, hash: string): Promise<Buffer | undefined> {
  const { code, stdout } = await runGit(run, [...offline, "cat-file", "blob", hash]);
  return code === 0 ? Buffer.from(stdout, "latin1") : undefined;
}

/** Returns the hashes that the contents of files would have in git, in their order. */
export async function hashFiles(run: GitRun, paths: readonly GitPath[]): Promise<readonly string[]> {
  const input = paths.map((path) => `${quote(path)}\n`).join("");
  const { stdout } = await runGit({ ...run, input }, ["hash-object", "--stdin-paths"]);
  return stdout.split("\n").slice(0, -1);
}

/** Git reads a path a line: what is more than a plain character is written as a number. */
function quote(path: GitPath): string {
  const escaped = path.replace(
    /[^\x20\x21\x23-\x5b\x5d-\x7e]/g,
    (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}

/** Tells whether git keeps the content of a file elsewhere, and only its name in commits. */
export async function isKeptByLfs(run: GitRun, path: GitPath): Promise<boolean> {
  const { stdout } = await runGit({ ...run, input: `${path}\0` }, ["check-attr", "-z", "--stdin", "filter"]);
  return stdout.split("\0")[2] === "lfs";
}

/** Tells whether the repository names a path as that of a submodule. */
export async function isNamedSubmodule(run: GitRun, path: GitPath): Promise<boolean> {
  const question = ["config", "-z", "--file=.gitmodules", "--get-regexp", "^submodule\\..*\\.path$"];
  const { stdout } = await runGit(run, question);
  return stdout.split("\0").some((line) => line.slice(line.indexOf("\n") + 1) === path);
}
