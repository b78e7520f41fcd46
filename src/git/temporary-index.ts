import { constants, copyFile, link, rename, rm, stat, utimes } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isSystemError } from "../lib/app-error.ts";
import { syncFile } from "../lib/atomic-file.ts";
import { writeFailed } from "../lib/file-error.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import type { GitPath } from "./git-path.ts";
import { GitRefused } from "./git-refused.ts";
import type { GitResult, GitRun } from "./git-run.ts";
import type { TreeEntry } from "./git-status.ts";
import { runGit } from "./run/run-git.ts";

/** What an index is to say of a path; undefined takes the path out of it. */
export interface IndexLine {
  readonly path: GitPath;
  readonly entry: TreeEntry | undefined;
}

/** Sets the paths of an index to what it reads. */
export const indexInfo = ["update-index", "-z", "--index-info"] as const;

/** Renders lines for git; `hashLength` is how many digits the repository's hashes have. */
export function renderIndexInfo(lines: readonly IndexLine[], hashLength: number): string {
  const nothing = "0".repeat(hashLength);
  return lines
    .map(({ path, entry }) => `${entry?.mode ?? "0"} ${entry?.hash ?? nothing}\t${path}\0`)
    .join("");
}

/** An index beside the user's, in which a commit is put together. */
export class TemporaryIndex {
  readonly path: string;
  readonly #run: GitRun;
  readonly #hashLength: number;

  /** `hashLength` is how many digits the repository's hashes have. */
  constructor(path: string, run: GitRun, hashLength: number) {
    this.path = path;
    this.#run = run;
    this.#hashLength = hashLength;
  }

  /** Runs git with this index in place of the user's. */
  run(args: readonly string[], more: Partial<GitRun> = {}): Promise<GitResult> {
    const env = { ...this.#run.env, GIT_INDEX_FILE: this.path };
    return runGit({ ...this.#run, ...more, env }, args);
  }

  /** Sets paths to what is known of them, without a look at the work tree. */
  async set(lines: readonly IndexLine[]): Promise<void> {
    if (lines.length === 0) return;
    await this.#must(indexInfo, renderIndexInfo(lines, this.#hashLength));
  }

  /** Takes files as the work tree has them. */
  async add(paths: readonly GitPath[]): Promise<void> {
    if (paths.length === 0) return;
    const input = paths.map((path) => `${path}\0`).join("");
    await this.#must(["update-index", "--add", "--replace", "-z", "--stdin"], input);
  }

  /** Writes its content down as a tree, and returns the name of that. */
  async writeTree(): Promise<string> {
    return (await this.#must(["write-tree"])).trim();
  }

  async #must(args: readonly string[], input = ""): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, { input });
    if (code !== 0) throw new GitRefused(stderr);
    return stdout;
  }
}

/** Removes an index, and the lock that a git which was ended may have left on it. */
export async function removeIndex(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.lock`, { force: true });
}

/** By what one knows that an index is still the same file with the same content. */
export type IndexMark = string;

/** Returns the mark of an index; one that is not there has one too. */
export async function markIndex(path: string): Promise<IndexMark> {
  const stats = await unlessGone(stat(path, { bigint: true }));
  return stats === undefined ? "none" : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

/** How the index of the user has been replaced: it was, it has changed meanwhile, or another git is at it. */
type Swap = "swapped" | "changed" | "busy";

const [tries, pauseMs] = [50, 40];

/**
 * Puts an index in the place of another that is still as it was, by the lock that git itself uses.
 *
 * A process that is killed in the middle may leave that lock, which is then the same file as `from`.
 */
export async function swapIndex(from: string, to: string, mark: IndexMark): Promise<Swap> {
  const lock = `${to}.lock`;
  await syncFile(from);
  for (let tried = 0; !(await takeLock(from, lock)); tried += 1) {
    if (tried === tries) return "busy";
    await sleep(pauseMs);
  }
  try {
    if ((await markIndex(to)) !== mark) {
      await rm(lock, { force: true });
      return "changed";
    }
    await rename(lock, to);
    return "swapped";
  } catch (error) {
    await rm(lock, { force: true });
    throw writeFailed(to, error);
  }
}

async function takeLock(from: string, lock: string): Promise<boolean> {
  try {
    await link(from, lock);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    if (!isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"))
      throw writeFailed(lock, error);
    return copyToLock(from, lock);
  }
}

/** Takes the lock on a file system that has no hard links. */
async function copyToLock(from: string, lock: string): Promise<boolean> {
  try {
    await copyIndex(from, lock);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * Copies an index to where nothing is yet.
 *
 * By the time of its index git knows which files may have changed unseen in the same moment. A later time would hide
 * them, and an earlier one only costs a second look.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtimeMs } = await stat(from);
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await utimes(to, atime, (Math.floor(mtimeMs) - 1) / 1000);
  } catch (error) {
    // That there is no index, or a lock already, is for the caller to judge.
    throw isSystemError(error, "ENOENT", "EEXIST") ? error : writeFailed(to, error);
  }
}
