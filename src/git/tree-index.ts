import { constants, copyFile, link, rename, rm, stat, utimes } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isSystemError, unlessGone } from "../lib/app-error.ts";
import { syncFile } from "../lib/atomic-file.ts";
import { writeFailed } from "../lib/file-error.ts";
import type { GitPath } from "./git-path.ts";
import { GitRefused, type GitResult, type GitRun } from "./git-run.ts";
import { parseEntries, type TreeEntry } from "./git-status.ts";
import { type PathChange, parseRawDiff } from "./raw-diff.ts";
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

/** An index of ours, by which git reads and writes trees. */
export interface TreeIndex {
  readonly path: string;
  /** Runs git with this index in the place of the user's. */
  readonly run: GitRun;
  readonly hashLength: number;
}

/** Runs git, and throws what it says unless it succeeds. */
async function mustGit(
  run: GitRun,
  args: readonly string[],
  input: string | Promise<string> = "",
): Promise<string> {
  const { code, stdout, stderr } = await runGit({ ...run, input }, args);
  if (code !== 0) throw new GitRefused(stderr);
  return stdout;
}

/** Sets paths of an index to what is known of them, without a look at the work tree. */
export async function setPaths({ run, hashLength }: TreeIndex, lines: readonly IndexLine[]): Promise<void> {
  if (lines.length > 0) await mustGit(run, indexInfo, renderIndexInfo(lines, hashLength));
}

/** Takes files into an index as the work tree has them; one that has gone this very moment is taken out. */
export async function takePaths({ run }: TreeIndex, paths: readonly GitPath[]): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join("");
  await mustGit(run, ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], input);
}

/**
 * Writes the content of an index down as a tree, and returns the name of that.
 *
 * Git looks for each object that a changed folder names, unless they are known to be there.
 */
export async function writeTree({ run }: TreeIndex, objects: "known" | "sought" = "sought"): Promise<string> {
  return (await mustGit(run, ["write-tree", ...(objects === "known" ? ["--missing-ok"] : [])])).trim();
}

/** Returns the paths that an index has. */
export async function listIndexPaths({ run }: TreeIndex): Promise<ReadonlySet<string>> {
  return new Set((await mustGit(run, ["ls-files", "-z"])).split("\0"));
}

/** Compares an index with a commit: what would become of each path that differs if the commit were checked out. */
export async function compareWithCommit({ run }: TreeIndex, commit: string): Promise<readonly PathChange[]> {
  const question = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "-R", commit, "--"];
  return parseRawDiff(await mustGit(run, question));
}

/** Lets the work tree go from one tree to another, and the index with it. */
export async function checkOutTree({ run }: TreeIndex, from: string, to: string): Promise<void> {
  await mustGit(run, ["read-tree", "-m", "-u", from, `${to}^{tree}`]);
}

/** Returns the paths of all files of a commit. */
export async function listTreePaths(run: GitRun, commit: string): Promise<readonly string[]> {
  const names = await mustGit(run, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]);
  return names.split("\0").slice(0, -1);
}

/** Returns the commit before a commit; undefined of the first. */
export async function readFirstParent(run: GitRun, commit: string): Promise<string | undefined> {
  const parents = await mustGit(run, ["rev-list", "--parents", "--max-count=1", commit]);
  return parents.trim().split(" ")[1];
}

/** Writes the text of a commit down as an object, and returns its name. */
export async function writeCommitObject(run: GitRun, text: Promise<string>): Promise<string> {
  return (await mustGit(run, ["hash-object", "-t", "commit", "-w", "--stdin"], text)).trim();
}

/** Changes refs by the lines that `git update-ref --stdin` reads, all of them or none. */
export async function updateRefs(run: GitRun, lines: string | Promise<string>): Promise<void> {
  await mustGit(run, ["-c", "core.logAllRefUpdates=false", "update-ref", "--stdin"], lines);
}

/** A ref and the commit that it names. */
export interface NamedCommit {
  readonly ref: string;
  readonly commit: string;
}

/** Returns the refs below a name. */
export async function listRefs(run: GitRun, below: string): Promise<readonly NamedCommit[]> {
  const stdout = await mustGit(run, ["for-each-ref", "--format=%(objectname) %(refname)", below]);
  return stdout.split("\n").map((line) => {
    const [commit = "", ref = ""] = line.split(" ");
    return { ref, commit };
  });
}

/** Returns what a commit has of each path. */
export async function readTreeEntries(run: GitRun, commit: string): Promise<ReadonlyMap<GitPath, TreeEntry>> {
  const { stdout } = await runGit(run, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  return parseEntries(stdout, /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]*)$/);
}
