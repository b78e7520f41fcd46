import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { type GitPath, locateFile } from "../../git/git-path.ts";
import { type GitRun, lastLine } from "../../git/git-run.ts";
import { listUntracked } from "../../git/list-files.ts";
import { isOwnFile } from "../../git/repository.ts";
import { isSystemError } from "../../lib/app-error.ts";
import type { Unknown } from "./unknown.ts";

/** The lines of the files that git does not track. */
export interface UntrackedLines {
  readonly lines: number;
  /** Whether there was more than is read. */
  readonly isCutShort: boolean;
}

/** How much is read at most; ten times what anybody writes by hand. */
export interface ReadLimits {
  readonly files: number;
  readonly bytes: number;
}

const usualLimits: ReadLimits = { files: 20_000, bytes: 64 * 1024 * 1024 };

/** Counts the lines of the files that git does not track; ignored and binary ones and repositories of their own do not count. */
export async function countUntracked(
  run: GitRun,
  limits: ReadLimits = usualLimits,
): Promise<UntrackedLines | Unknown> {
  const { code, stdout, stderr } = await listUntracked(run);
  if (code !== 0) return { unknown: `Git cannot list the new files: ${lastLine(stderr)}` };
  const paths = stdout.split("\0").filter((path) => path !== "" && !path.endsWith("/")) as GitPath[];
  return countAll(
    paths.filter((path) => !isOwnFile(path)).map((path) => locateFile(run.cwd, path)),
    limits,
  );
}

function countAll(paths: readonly Buffer[], limits: ReadLimits): UntrackedLines {
  const buffer = Buffer.allocUnsafe(65_536);
  let [lines, left] = [0, limits.bytes];
  for (const path of paths.slice(0, limits.files)) {
    const counted = countLines(path, buffer, left);
    lines += counted.lines;
    left -= counted.bytes;
    if (counted.isCutShort) return { lines, isCutShort: true };
  }
  return { lines, isCutShort: paths.length > limits.files };
}

interface Counted extends UntrackedLines {
  readonly bytes: number;
}

const nothing: Counted = { lines: 0, bytes: 0, isCutShort: false };

function countLines(path: Buffer, buffer: Buffer, left: number): Counted {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // What a link leads to is its one line, as git has it.
    if (stats?.isSymbolicLink() === true) return { ...nothing, lines: 1 };
    if (stats?.isFile() !== true || stats.size === 0) return nothing;
    const file = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      return fstatSync(file).isFile() ? countIn(file, buffer, left) : nothing;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // It is gone by now, or nobody may read it: it has no lines to show either way.
    if (isSystemError(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP")) return nothing;
    throw error;
  }
}

/** How far git looks for the sign of a binary file. */
const binarySign = 8000;

function countIn(file: number, buffer: Buffer, left: number): Counted {
  let [lines, bytes, last] = [0, 0, 10];
  for (;;) {
    const count = readSync(file, buffer);
    if (count === 0) return { lines: last === 10 ? lines : lines + 1, bytes, isCutShort: false };
    const chunk = buffer.subarray(0, count);
    if (bytes === 0 && chunk.subarray(0, binarySign).includes(0)) return { ...nothing, bytes: count };
    bytes += count;
    if (bytes > left) return { lines, bytes, isCutShort: true };
    lines += countEnds(chunk);
    last = chunk[count - 1] ?? 10;
  }
}

function countEnds(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}
