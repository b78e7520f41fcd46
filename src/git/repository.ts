import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { ioError, unlessGone } from "../lib/app-error.ts";
import { isInside } from "../lib/resolve-inside.ts";
import { type GitPath, toGitPath } from "./git-path.ts";
import type { GitPlace } from "./git-place.ts";
import type { GitRun } from "./git-run.ts";
import { readHead } from "./read-head.ts";
import { runGit } from "./run/run-git.ts";

/** What a repository is in the middle of. */
export type GitOperation = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect";

/** What git leaves in its folder while it waits for somebody; `sequencer` is there between several picks. */
const signs: readonly (readonly [name: string, operation: GitOperation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["sequencer", "cherry-pick"],
  ["BISECT_LOG", "bisect"],
];

/** Returns what waits to be finished in a work tree, by its own git folder. */
export async function readOperation(gitFolder: string): Promise<GitOperation | undefined> {
  for (const [name, operation] of signs)
    if ((await unlessGone(lstat(join(gitFolder, name)))) !== undefined) return operation;
  return undefined;
}

/** Returns the branch that a rebase comes back to when it ends; null where none is under way, or none was checked out. */
export async function readRebased(gitFolder: string): Promise<string | null> {
  for (const name of ["rebase-merge", "rebase-apply"]) {
    const ref = await unlessGone(readFile(join(gitFolder, name, "head-name"), "utf8"));
    const branch = /^refs\/heads\/(.+)\n?$/.exec(ref ?? "")?.[1];
    if (branch !== undefined) return branch;
  }
  return null;
}

/** The repository of a work tree, as a save needs to know it. */
export interface Repository {
  readonly run: GitRun;
  readonly root: string;
  /** The git folder of this work tree alone. */
  readonly gitFolder: string;
  /** Where all work trees of the repository have their objects and refs. */
  readonly commonFolder: string;
  readonly index: string;
  /** What a save keeps while it is under way. */
  readonly folder: string;
  /** How many digits its hashes have. */
  readonly hashLength: number;
  /** Files and folders in it that are Carryon's, besides its home: they are never committed. */
  readonly withheld?: readonly string[] | undefined;
  /** Is told what the user's hooks say of a commit, line by line as it comes. */
  readonly hear?: GitRun["hear"];
  /** Is told why a save waits. */
  readonly say?: ((line: string) => void) | undefined;
}

/** What is needed to look at the files of a work tree. */
export type RepositoryFiles = Pick<Repository, "run" | "root" | "withheld">;

/** What whoever opens a repository wants of it. */
export interface RepositoryOptions
  extends Pick<Repository, "hear" | "say" | "withheld">,
    Pick<GitRun, "signal"> {
  readonly mayAsk: boolean;
  /** Where git's files are, if that is known. */
  readonly files?: GitPlace | undefined;
}

/** Finds out where a work tree keeps its index. Git is asked only where its files do not say it. */
export async function openRepository(
  root: string,
  env: GitRun["env"],
  { mayAsk, hear, say, signal, withheld, files }: RepositoryOptions,
): Promise<Repository> {
  // A client that a hook of git has started is told another index.
  const { GIT_INDEX_FILE: _, ...rest } = env;
  const run = { cwd: root, env: rest, mayAsk, signal };
  const { gitFolder, commonFolder, hashLength } =
    files ?? readHead(root, { env: rest }) ?? (await askPlace(run));
  let settings: Promise<readonly string[]> | undefined;
  const findWriteSettings = () => {
    // What has to be finished after an interruption is written as durably.
    settings ??= findObjectSetting({ ...run, signal: undefined });
    return settings;
  };
  return {
    run: { ...run, findWriteSettings },
    ...{ root, gitFolder, commonFolder, hashLength, withheld, hear, say },
    index: join(gitFolder, "index"),
    folder: join(gitFolder, "carryon"),
  };
}

async function askPlace(run: GitRun): Promise<Omit<GitPlace, "root">> {
  const question = ["rev-parse", "--show-object-format", "--absolute-git-dir"];
  const { code, stdout, stderr } = await runGit(run, question);
  const [format, ...folder] = Buffer.from(stdout, "latin1").toString().replace(/\n$/, "").split("\n");
  if (code !== 0) throw ioError("git-failed", `Git cannot read this repository: ${stderr.trim()}`);
  const gitFolder = folder.join("\n");
  const commonFolder = await readCommonFolder(gitFolder);
  return { gitFolder, commonFolder, hashLength: format === "sha256" ? 64 : 40 };
}

/** Before 2.36 git does not know `core.fsync`, and has a setting for loose objects alone, which later ones warn of. */
async function findObjectSetting(run: GitRun): Promise<readonly string[]> {
  const [, major, minor] = /(\d+)\.(\d+)/.exec((await runGit(run, ["version"])).stdout) ?? [];
  const isOld = Number(major) < 2 || (Number(major) === 2 && Number(minor) < 36);
  return isOld ? ["core.fsyncObjectFiles=true"] : [];
}

/** A further work tree names the folder of the repository in a file. */
async function readCommonFolder(gitFolder: string): Promise<string> {
  const name = await unlessGone(readFile(join(gitFolder, "commondir"), "utf8"));
  return name === undefined ? gitFolder : resolve(gitFolder, name.replace(/\r?\n$/, ""));
}

/** Tells whether a file is a lock of ours, or one in the making: nobody's work, and gone or empty the next moment. */
export function isOwnFile(path: GitPath): boolean {
  return /(?:^|\/)\.[^/]+\.carryon-(?:lock|tmp)(?:-wal|-shm|-journal)?$/.test(path);
}

/**
 * Returns what tells whether a file of a work tree is Carryon's and nobody's work: its locks, its home with the key and
 * all that was recorded, and what whoever has opened the repository withholds.
 *
 * A home that is the work tree itself holds all files of it.
 */
export async function findOwnFiles(repository: RepositoryFiles): Promise<(path: GitPath) => boolean> {
  const { root, run, withheld = [] } = repository;
  const { CARRYON_HOME: home, HOME: user } = run.env;
  const given = [home, user && join(user, ".carryon"), ...withheld];
  const top = await realpath(root);
  const places = await Promise.all(given.flatMap((path) => (path ? [findPlace(path)] : [])));
  const inside = places.flatMap((place) => (place && isInside(top, place) ? [relative(top, place)] : []));
  const own = inside.map((place) => toGitPath(place.split(sep).join("/")));
  return (path) => isOwnFile(path) || own.some((place) => isAt(path, place));
}

/** Returns where a path really is, also one of a file that is not there yet; undefined where its folder is not either. */
async function findPlace(path: string): Promise<string | undefined> {
  const found = await unlessGone(realpath(path));
  if (found !== undefined) return found;
  const folder = await unlessGone(realpath(dirname(path)));
  return folder && join(folder, basename(path));
}

function isAt(path: GitPath, place: GitPath): boolean {
  return place === "" || path === place || path.startsWith(`${place}/`);
}
