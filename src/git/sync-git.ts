import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessGone } from "../lib/app-error.ts";
import { syncFile, syncFolder } from "../lib/atomic-file.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run/run-git.ts";

/** A kernel writes a changed file to disk by itself after about 35 seconds; a laptop that saves power takes longer. */
const unsyncedMs = 120_000;

/** Files synced at once: a file system puts them into one commit of its journal. */
const atOnce = 32;

/**
 * Makes the objects durable that a commit is about to name and that another git has written.
 *
 * Our own git syncs each object that it writes; any other syncs none by default. A blob that the user staged a moment
 * ago, or the commit before ours, would be empty after a power cut, and our commit broken with it. `begun` is when our
 * own git began to write.
 */
export async function syncForeignObjects({ commonFolder }: Repository, begun: Date): Promise<void> {
  const folders = (await listObjectFolders(commonFolder)).slice(1);
  const files = await Promise.all(folders.map(listFiles));
  const foreign = (await keepRecent(files.flat())).filter(({ madeMs }) => madeMs <= begun.getTime());
  await inTurns(foreign, ({ path }) => unlessGone(syncFile(path)));
}

/** Makes durable under which names git has written objects and refs, the objects first; and HEAD, which may be new. */
export async function syncNames(repository: Repository, refs: readonly string[]): Promise<void> {
  const { commonFolder, gitFolder } = repository;
  await inTurns(await listObjectFolders(commonFolder), syncFolder);
  const files = [join(gitFolder, "HEAD"), ...refs.map((ref) => join(commonFolder, ref))];
  const folders = [...refs.flatMap((ref) => foldersOf(commonFolder, ref)), commonFolder, gitFolder];
  // Where refs lie in a table of refs, git itself has synced them.
  await inTurns(files, (path) => unlessGone(syncFile(path)));
  await inTurns([...new Set(folders)], (path) => unlessGone(syncFolder(path)));
}

/** Returns the folder of the objects, and those in it, that have changed recently. */
async function listObjectFolders(commonFolder: string): Promise<readonly string[]> {
  const objects = join(commonFolder, "objects");
  const names = (await readdir(objects)).filter((name) => /^([0-9a-f]{2}|pack)$/.test(name));
  const changed = await keepRecent(names.map((name) => join(objects, name)));
  return [objects, ...changed.map(({ path }) => path)];
}

/** Makes an index durable that git, or a rename, has put in its place. */
export async function syncIndex({
  index,
  gitFolder,
}: Pick<Repository, "index" | "gitFolder">): Promise<void> {
  await unlessGone(syncFile(index));
  await syncFolder(gitFolder);
}

interface Recent {
  readonly path: string;
  /** When it was made: git sets only the other times of an object anew that is there already. */
  readonly madeMs: number;
}

/** Returns those that may have changed so recently that they are only in memory. */
async function keepRecent(paths: readonly string[]): Promise<readonly Recent[]> {
  // The file system's own stamps count, so that a clock passed in would be wrong here.
  const after = Date.now() - unsyncedMs;
  const found: Recent[] = [];
  await inTurns(paths, async (path) => {
    const stats = await unlessGone(stat(path));
    if (stats !== undefined && stats.ctimeMs > after) found.push({ path, madeMs: stats.birthtimeMs });
  });
  return found;
}

async function listFiles(folder: string): Promise<readonly string[]> {
  return ((await unlessGone(readdir(folder))) ?? []).map((name) => join(folder, name));
}

function foldersOf(commonFolder: string, ref: string): readonly string[] {
  const above = dirname(ref);
  return above === "." ? [] : [join(commonFolder, above), ...foldersOf(commonFolder, above)];
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) await Promise.all(items.slice(at, at + atOnce).map(act));
}

/** Stashes what git tracks. Git takes it out of the work tree, so that it must be on disk when this returns. */
export async function stashIn(repository: Repository): Promise<string> {
  const begun = new Date();
  const { stdout, stderr } = await runGit(repository.run, ["stash", "push", "--message", "carryon load"]);
  await syncForeignObjects(repository, begun);
  await syncNames(repository, ["refs/stash", "logs/refs/stash"]);
  return `${Buffer.from(stdout, "latin1").toString()}${stderr}`.trim();
}
