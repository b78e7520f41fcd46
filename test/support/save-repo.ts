import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describePath } from "../../src/git/git-path.ts";
import { openRepository } from "../../src/git/repository.ts";
import { commitWork, type SavedWork } from "../../src/work/commit-work.ts";
import { git, gitEnv, layOut } from "./git-repo.ts";

/** Writes files by their paths from a folder. */
export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Saves the work of a repository as a command would, and says it for people. */
export async function save(
  root: string,
  message: string | undefined = "WIP: it - checkpoint",
): Promise<SavedWork> {
  return commitWork(await openRepository(root, gitEnv, { mayAsk: false }), message);
}

/** What a save says, in short. */
export function tell({ outcome, branch, taken, leftOut, conflicts, staged }: SavedWork) {
  const { commit: _, ...rest } = { commit: "", ...outcome };
  return {
    ...rest,
    branch,
    taken: taken.map(({ path }) => describePath(path)).sort(),
    leftOut: leftOut.map(({ path, reason }) => `${describePath(path)}: ${reason}`).sort(),
    ...(conflicts.length > 0 && { conflicts: conflicts.map(describePath) }),
    ...(staged !== undefined && { staged }),
  };
}

/** Returns what `git status` says, a line for each file. */
export async function statusOf(root: string): Promise<readonly string[]> {
  const text = await git(root, "status", "--porcelain", "--untracked-files=all");
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Returns the files of a commit. */
export async function filesIn(root: string, commit = "HEAD"): Promise<readonly string[]> {
  return (await git(root, "ls-tree", "-r", "--name-only", commit)).split("\n").filter((line) => line !== "");
}

/** All that a repository and its work tree hold. */
export interface Holdings {
  /** The hash that git has for the content of each file of the work tree, by its name, in bytes as text. */
  readonly files: ReadonlyMap<string, string>;
  /** Every commit that a ref or HEAD leads to. */
  readonly commits: ReadonlySet<string>;
  /** Every content that the index names. */
  readonly staged: ReadonlySet<string>;
}

/** Returns all that must not be lost. */
export async function readHoldings(root: string): Promise<Holdings> {
  const files = new Map<string, string>();
  await walk(Buffer.from(root), files);
  const commits = await git(root, "rev-list", "--all", "HEAD", "--").catch(() => "");
  const staged = await git(root, "ls-files", "--stage");
  return {
    files,
    commits: new Set(commits.split("\n").filter((line) => line !== "")),
    staged: new Set(staged.split("\n").flatMap((line) => /^(?!160000)\d+ ([0-9a-f]+)/.exec(line)?.[1] ?? [])),
  };
}

async function walk(folder: Buffer, files: Map<string, string>): Promise<void> {
  for (const name of await readdir(folder, { encoding: "buffer" })) {
    if (name.toString() === ".git") continue;
    const path = Buffer.concat([folder, Buffer.from("/"), name]);
    const stats = await lstat(path);
    if (stats.isDirectory()) await walk(path, files);
    else if (stats.isSymbolicLink()) files.set(path.toString("latin1"), `-> ${await readlink(path)}`);
    else if (stats.isFile()) files.set(path.toString("latin1"), hashBlob(await readFile(path)));
  }
}

function hashBlob(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Returns what was there before and is not in its place any more: files, commits and what was staged. */
export async function findLost(root: string, before: Holdings): Promise<readonly string[]> {
  const [now, reachable] = [await readHoldings(root), await readReachable(root)];
  const changed = [...before.files].filter(([path, hash]) => now.files.get(path) !== hash);
  return [...changed.map(([path]) => `file ${path}`), ...compare(before, now, reachable)];
}

/** Returns what was there before and can be found nowhere any more, neither in a commit nor in the work tree. */
export async function findUnreachable(root: string, before: Holdings): Promise<readonly string[]> {
  const [now, reachable] = [await readHoldings(root), await readReachable(root)];
  const gone = [...before.files].filter(
    ([path, hash]) => now.files.get(path) !== hash && !reachable.has(hash),
  );
  return [...gone.map(([path]) => `file ${path}`), ...compare(before, now, reachable)];
}

/** Returns all that a ref, HEAD or the index leads to. */
async function readReachable(root: string): Promise<ReadonlySet<string>> {
  const text = await git(root, "rev-list", "--objects", "--all", "HEAD", "--indexed-objects", "--").catch(
    () => git(root, "rev-list", "--objects", "--indexed-objects"),
  );
  return new Set(text.split("\n").map((line) => line.split(" ")[0] ?? ""));
}

function compare(before: Holdings, now: Holdings, reachable: ReadonlySet<string>): readonly string[] {
  return [
    ...[...before.commits].flatMap((commit) => (now.commits.has(commit) ? [] : [`commit ${commit}`])),
    ...[...before.staged].flatMap((hash) => (reachable.has(hash) ? [] : [`staged ${hash}`])),
  ];
}

/** Runs git and returns its code only, as for what is meant to fail. */
export async function tryGit(root: string, ...args: readonly string[]): Promise<number> {
  try {
    await promisify(execFile)("git", [...args], { cwd: root, env: gitEnv });
    return 0;
  } catch (error) {
    return (error as { readonly code: number }).code;
  }
}

/** Makes a repository with two files in its first commit. */
export async function repoIn(path: string): Promise<string> {
  await layOut(path, "two files", async (root) => {
    await git(root, "init", "--quiet", "--initial-branch=main");
    await writeFiles(root, { "a.txt": "a\n", "src/b.txt": "b\n" });
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "first");
  });
  return path;
}

/** Makes two branches that changed one line in different ways. */
export async function inConflict(root: string): Promise<void> {
  await git(root, "checkout", "-qb", "other");
  await writeFiles(root, { "a.txt": "theirs\n" });
  await git(root, "commit", "-qam", "theirs");
  await git(root, "checkout", "-q", "main");
  await writeFiles(root, { "a.txt": "ours\n" });
  await git(root, "commit", "-qam", "ours");
  await writeFiles(root, { "a.txt": "ours again\n" });
  await git(root, "commit", "-qam", "again");
}

/** Gives a repository a hook. */
export async function hook(root: string, name: string, script: string): Promise<void> {
  const path = join(root, ".git/hooks", name);
  await writeFiles(root, { [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
  await chmod(path, 0o755);
}
