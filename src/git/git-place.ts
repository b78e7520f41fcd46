import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type FolderConfig, parseFolderConfig, parseOrigin } from "./folder-config.ts";
import { readSmall } from "./read-small.ts";

/** Where a work tree keeps what git knows of it. */
export interface GitPlace {
  /** The top of the work tree. */
  readonly root: string;
  /** The git folder of this work tree alone. */
  readonly gitFolder: string;
  /** The folder that all work trees of the repository share. */
  readonly commonFolder: string;
  /** How many digits its hashes have. */
  readonly hashLength: number;
}

const [largestPath, largestConfig] = [8192, 262_144];

/**
 * Returns where the work tree with this `.git` keeps its repository; undefined where only git can tell.
 *
 * A folder elsewhere counts only if it names this work tree in turn, as those of worktrees and submodules do: whoever
 * writes a `.git` into an archive could name any repository of whoever unpacks it.
 */
export function locateGit(root: string, dotGit: Stats): GitPlace | undefined {
  const place = dotGit.isDirectory() ? locateOwn(root) : dotGit.isFile() ? locateElsewhere(root) : undefined;
  return place !== undefined && isRepository(place) ? place : undefined;
}

function locateOwn(root: string): GitPlace | undefined {
  const gitFolder = join(root, ".git");
  if (isThere(join(gitFolder, "commondir"))) return undefined;
  const config = readConfig(gitFolder, gitFolder);
  const isHere = config?.workTree === undefined || leadsTo(root, gitFolder, config.workTree);
  if (config?.isBare !== false || !isHere) return undefined;
  return { root, gitFolder, commonFolder: gitFolder, hashLength: config.hashLength };
}

function locateElsewhere(root: string): GitPlace | undefined {
  const [, path] = /^gitdir: (.+)$/s.exec(readLine(join(root, ".git")) ?? "") ?? [];
  if (path === undefined) return undefined;
  const gitFolder = realpathSync(resolve(root, path));
  return isThere(join(gitFolder, "commondir"))
    ? locateWorktree(root, gitFolder)
    : locateSubmodule(root, gitFolder);
}

function locateWorktree(root: string, gitFolder: string): GitPlace | undefined {
  const [common, back] = [readLine(join(gitFolder, "commondir")), readLine(join(gitFolder, "gitdir"))];
  if (common === undefined || back === undefined) return undefined;
  const commonFolder = realpathSync(resolve(gitFolder, common));
  if (dirname(gitFolder) !== join(commonFolder, "worktrees") || basename(back) !== ".git") return undefined;
  if (!leadsTo(root, gitFolder, dirname(back))) return undefined;
  // Of the shared settings, those of the main work tree do not count here.
  const config = readConfig(commonFolder, gitFolder, { sharedToo: false });
  if (config?.isBare !== false || config.workTree !== undefined) return undefined;
  return { root, gitFolder, commonFolder, hashLength: config.hashLength };
}

function locateSubmodule(root: string, gitFolder: string): GitPlace | undefined {
  const config = readConfig(gitFolder, gitFolder);
  if (config?.isBare !== false || config.workTree === undefined) return undefined;
  if (!leadsTo(root, gitFolder, config.workTree)) return undefined;
  return { root, gitFolder, commonFolder: gitFolder, hashLength: config.hashLength };
}

function leadsTo(root: string, from: string, path: string): boolean {
  return realpathSync(resolve(from, path)) === root;
}

/** Returns the settings of a repository, and over them those that a work tree has of its own. */
function readConfig(
  commonFolder: string,
  gitFolder: string,
  { sharedToo = true }: { readonly sharedToo?: boolean } = {},
): FolderConfig | undefined {
  const shared = readOneConfig(join(commonFolder, "config"));
  const own = join(gitFolder, "config.worktree");
  if (shared === undefined) return undefined;
  const base = sharedToo ? shared : { ...shared, isBare: false, workTree: undefined };
  if (!(shared.hasOwnSettings && isThere(own))) return base;
  const over = readOneConfig(own);
  return over && { ...base, isBare: base.isBare || over.isBare, workTree: over.workTree ?? base.workTree };
}

/**
 * Returns the address that the settings of a repository itself give its remote `origin`: null where they give none,
 * undefined where only git can tell.
 */
export function readOrigin({ gitFolder, commonFolder }: GitPlace): string | null | undefined {
  if (isThere(join(gitFolder, "config.worktree"))) return undefined;
  return parseOrigin(readSmall(join(commonFolder, "config"), largestConfig)?.toString() ?? "[include]");
}

function readOneConfig(path: string): FolderConfig | undefined {
  const bytes = readSmall(path, largestConfig);
  return bytes && parseFolderConfig(bytes.toString());
}

function isRepository({ gitFolder, commonFolder }: GitPlace): boolean {
  const folders = [join(commonFolder, "objects"), join(commonFolder, "refs")];
  return folders.every((path) => statSync(path).isDirectory()) && isThere(join(gitFolder, "HEAD"));
}

function readLine(path: string): string | undefined {
  return readSmall(path, largestPath)
    ?.toString()
    .replace(/[\r\n]+$/, "");
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
