import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

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

/** Tells whether something has this path, also a link that leads nowhere. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** What the configuration of a git folder says of its work tree. */
interface FolderConfig {
  readonly isBare: boolean;
  /** Where the work tree is, from the git folder; undefined where nothing is said. */
  readonly workTree: string | undefined;
  /** Whether each work tree has settings of its own. */
  readonly hasOwnSettings: boolean;
  /** How many digits its hashes have. */
  readonly hashLength: number;
}

const header = /^\[\s*([a-z0-9.-]+)\s*("(?:[^"\\]|\\.)*")?\s*\](.*)$/i;
const setting = /^([a-z][a-z0-9-]*)\s*(?:=\s*(.*))?$/i;

type Values = ReadonlyMap<string, string>;

/**
 * Reads from a configuration what says where a repository is; undefined for what only git can judge: a quoted path, a
 * newer format, another way to keep refs.
 */
function parseFolderConfig(text: string): FolderConfig | undefined {
  const values = parseSettings(text);
  const isBare = toFlag(values.get("core.bare"));
  const hasOwnSettings = toFlag(values.get("extensions.worktreeconfig"));
  const workTree = values.get("core.worktree");
  const hashLength = hashLengthOf(values);
  if (isBare === undefined || hasOwnSettings === undefined || hashLength === undefined) return undefined;
  if (workTree !== undefined && /["\\#;]/.test(workTree)) return undefined;
  return { isBare, workTree, hasOwnSettings, hashLength };
}

/**
 * Reads from a configuration where a repository was cloned from: null where it does not say so, undefined where only git
 * can tell what it says.
 */
function parseOrigin(text: string): string | null | undefined {
  if (/^\s*\[\s*include/im.test(text)) return undefined;
  const address = parseSettings(text).get("remote.origin.url") ?? null;
  return address !== null && /["\\#;]/.test(address) ? undefined : address;
}

/** Undefined for a format that is not known here. */
function hashLengthOf(values: Values): number | undefined {
  const version = values.get("core.repositoryformatversion") ?? "0";
  const refs = values.get("extensions.refstorage") ?? "files";
  const hash = values.get("extensions.objectformat") ?? "sha1";
  if ((version !== "0" && version !== "1") || refs !== "files") return undefined;
  if (hash === "sha1") return 40;
  return hash === "sha256" && version === "1" ? 64 : undefined;
}

/** Returns the settings by their names in small letters, the last one of a name; a subsection is as it is written. */
function parseSettings(text: string): Values {
  const values = new Map<string, string>();
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split("\n")) {
    const [, name, subsection, rest] = header.exec(line.trim()) ?? [];
    if (name !== undefined)
      section = `${name.toLowerCase()}${subsection?.replace(/^"([^"\\]*)"$/, ".$1") ?? ""}`;
    const [, key, value] = setting.exec((rest ?? line).trim()) ?? [];
    // A name without a value means that it is so.
    if (key !== undefined) values.set(`${section}.${key.toLowerCase()}`, value ?? "true");
  }
  return values;
}

function toFlag(value: string | undefined): boolean | undefined {
  if (value === undefined || /^(?:false|no|off|0|)$/i.test(value)) return false;
  return /^(?:true|yes|on|1)$/i.test(value) ? true : undefined;
}

/**
 * Returns the bytes of a regular file of so many bytes at most; undefined for a larger one and for what is no file. A
 * link is not followed: that throws, as a missing file does.
 */
export function readSmall(path: string, largest: number): Buffer | undefined {
  // Without it, a pipe that somebody has put here would be waited for.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = openSync(path, flags);
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= largest ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
