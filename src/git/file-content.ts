import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { isSystemError } from "../lib/app-error.ts";
import { type GitPath, locateFile } from "./git-path.ts";
import type { ChangedPath, TreeEntry } from "./git-status.ts";
import type { RepositoryFiles } from "./repository.ts";
import { runGit } from "./run-git.ts";

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

/** A partial clone would ask its server for what is not there. */
const here = ["-c", "protocol.allow=never"];

/** More than this is not read to look for secrets in it. */
const [largestBlob, mostBytes] = [5 * 1024 * 1024, 64 * 1024 * 1024];

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
  const { stdout } = await runGit(run, [...here, "cat-file", "--batch"]);
  return Buffer.from(stdout, "latin1").toString();
}
