import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { describePath, type GitPath, locateFile } from "../../git/git-path.ts";
import type { GitRun } from "../../git/git-run.ts";
import { type ChangedPath, readWorkTreeStatus } from "../../git/git-status.ts";
import { readHead } from "../../git/read-head.ts";
import { isOwnFile } from "../../git/repository.ts";
import { isSystemError } from "../../lib/app-error.ts";
import { stateFile } from "../../work/work-state.ts";
import type { Stamp } from "./tree-mark.ts";

/** A work tree, or the one of a repository inside of it. */
export interface TreeSite {
  readonly run: GitRun;
  /** How many repositories this one is inside of. */
  readonly depth: number;
}

/** What a work tree is like now, as far as it differs from its commit. */
export interface ReadTree {
  readonly head: string | null;
  /** The changes of files by their paths. */
  readonly changes: ReadonlyMap<GitPath, ChangedPath>;
  /** The repositories inside that have changed, or that git does not track. */
  readonly inner: ReadonlyMap<GitPath, ChangedPath>;
}

/** How deep repositories inside of others are looked into, and how many of them. */
export const limits = { depth: 3, inner: 20 };

/** Reads how a work tree differs from its commit. Takes one git process, and one more for each submodule. */
export async function readTree({ run, depth }: TreeSite): Promise<ReadTree> {
  const status = await readWorkTreeStatus(run);
  const changes = new Map<GitPath, ChangedPath>();
  const inner = new Map<GitPath, ChangedPath>();
  for (const change of status.changes) {
    if (depth === 0 && isLeftOut(change.path)) continue;
    if (isRepository(run.cwd, change)) inner.set(withoutSlash(change.path), change);
    else changes.set(change.path, change);
  }
  return { head: status.head ?? null, changes, inner };
}

/** Tells whether a file is none of the work: a plan, the state of the work, a lock of ours. */
export function isLeftOut(path: GitPath): boolean {
  return path.startsWith(".claude/plans/") || path === stateFile || isOwnFile(path);
}

/** Git lists a repository that it does not track as a folder; a submodule may have become a file. */
function isRepository(root: string, { path, submodule }: ChangedPath): boolean {
  return path.endsWith("/") || (submodule !== undefined && readStamp(root, path).isFolder);
}

function withoutSlash(path: GitPath): GitPath {
  return path.replace(/\/$/, "") as GitPath;
}

/** Returns the site of a repository inside; undefined where there is none, or only another work tree of the same one. */
export function enter(site: TreeSite, path: GitPath): TreeSite | undefined {
  const { cwd, env } = site.run;
  if (readStamp(cwd, `${path}/.git` as GitPath).stamp === null) return undefined;
  const bytes = locateFile(cwd, path);
  const folder = bytes.toString();
  if (!Buffer.from(folder).equals(bytes)) throw new Error(`${describePath(path)} cannot be entered.`);
  const common = readHead(folder)?.commonFolder;
  // What is done in another work tree is up to the gates of its own branch.
  if (common !== undefined && common === readHead(cwd)?.commonFolder) return undefined;
  // A broken repository must not be taken for the one around it.
  const ceiling = { GIT_CEILING_DIRECTORIES: dirname(folder) };
  return { run: { ...site.run, cwd: folder, env: { ...env, ...ceiling } }, depth: site.depth + 1 };
}

/** Returns what the disk says of files. */
export function readStamps(root: string, paths: Iterable<GitPath>): ReadonlyMap<GitPath, Stamped> {
  return new Map([...paths].map((path) => [path, readStamp(root, path)]));
}

/** What the disk says of a path now. */
export interface Stamped {
  readonly stamp: Stamp;
  /** When the file itself was last changed: its content, its mode or its name. */
  readonly changedAt: bigint;
  readonly isFolder: boolean;
}

const none: Stamped = { stamp: null, changedAt: 0n, isFolder: false };

/** Reads what the disk says of a file; a link is not followed. */
export function readStamp(root: string, path: GitPath): Stamped {
  try {
    const stats = lstatSync(locateFile(root, path), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return none;
    const { size, mtimeNs, ctimeNs, ino } = stats;
    return {
      stamp: `${size} ${mtimeNs} ${ctimeNs} ${ino}`,
      changedAt: ctimeNs,
      isFolder: stats.isDirectory(),
    };
  } catch (error) {
    // What may not be looked at cannot be told from what is gone; that it could be before makes a difference.
    if (isSystemError(error, "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG")) return none;
    throw error;
  }
}

/**
 * Returns a question whether a folder on the way to a path was put there, or changed, since a time. The files of a
 * folder that is moved keep their own times, so that only the folder tells of it.
 */
export function askWhetherPut(root: string, from: bigint): (path: GitPath) => boolean {
  const folders = new Map<GitPath, boolean>();
  const isFolderPut = (path: GitPath): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const isPut = readStamp(root, path).changedAt >= from || isBelowPut(path);
    folders.set(path, isPut);
    return isPut;
  };
  const isBelowPut = (path: GitPath): boolean => {
    const end = path.lastIndexOf("/");
    return end > 0 && isFolderPut(path.slice(0, end) as GitPath);
  };
  return isBelowPut;
}
