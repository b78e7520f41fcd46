import { accessSync, constants, existsSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { type GitPlace, readOrigin } from "./git-place.ts";
import { isSurelyMerged } from "./is-surely-merged.ts";
import { type Head, readFirstCommit, readHead, readHeadAgain, readTip } from "./read-head.ts";
import { askGit } from "./run/ask-git.ts";

// What `read…` and `has…` return, git's files say; git itself is only asked where they do not: to start it takes longer
// than all that is asked.

/** What git knows of the place where a command runs. */
export interface GitFacts {
  /** The top of the work tree. */
  readonly root: string;
  /** The folder that all work trees of the repository share. */
  readonly commonFolder: string;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  readonly isShallow: boolean;
  /** Where git's files are; undefined where they alone do not say enough. */
  readonly files?: GitPlace | undefined;
}

/** A work tree: its top, or what was found out about it before, so that it is not looked for again. */
export type WorkTree = string | GitFacts;

/** Returns the facts, or undefined outside a work tree. */
export async function readGitFacts(cwd: string): Promise<GitFacts | undefined> {
  const head = lookAt(cwd);
  if (head === undefined) return askGitFacts(cwd);
  if (head === null) return undefined;
  const { branch, ...files } = head;
  const { root, commonFolder } = files;
  return { root, commonFolder, branch, isShallow: isFilled(join(commonFolder, "shallow")), files };
}

/** What is checked out. */
export interface CheckedOut {
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  /** The commit; undefined before the first one. */
  readonly tip: string | undefined;
}

/** Returns what is checked out in a work tree. */
export async function readCheckedOut(tree: WorkTree): Promise<CheckedOut> {
  const head = lookAt(tree);
  const tip = head ? readTip(head) : undefined;
  return {
    branch: head ? head.branch : await askBranch(rootOf(tree)),
    tip: tip === undefined ? await askTip(rootOf(tree)) : (tip ?? undefined),
  };
}

/** Returns the files in which a merge has left conflicts, from the top of the work tree; undefined where git does not tell. */
export async function readUnmerged(tree: WorkTree): Promise<readonly string[] | undefined> {
  const files = locateFiles(tree);
  return files && isSurelyMerged(files.gitFolder) ? [] : askUnmerged(rootOf(tree));
}

/** Tells whether git takes a folder for its own, or for one of its work trees. */
export async function isGitFolder(folder: string): Promise<boolean> {
  return (await askGit(folder, ["rev-parse", "--git-dir"])).code === 0;
}

/** Tells whether a merge, a rebase, a cherry-pick or a revert waits for somebody to finish it. */
export async function isMerging(tree: WorkTree): Promise<boolean> {
  const names = ["MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
  const files = locateFiles(tree);
  if (files) return names.some((name) => existsSync(join(files.gitFolder, name)));
  const questions = names.map((name) => askGit(rootOf(tree), ["rev-parse", "--verify", "--quiet", name]));
  return (await Promise.all(questions)).some(({ code }) => code === 0);
}

/** Tells whether the repository of a work tree holds a commit. */
export async function hasCommit(tree: WorkTree, commit: string): Promise<boolean> {
  const folder = /^[0-9a-f]{40}$/.test(commit) ? locateFiles(tree)?.commonFolder : undefined;
  // One that is not packed with others has a file of its own.
  const isLoose =
    folder !== undefined && isFilled(join(folder, "objects", commit.slice(0, 2), commit.slice(2)));
  return isLoose || askCommit(rootOf(tree), commit);
}

/** Undefined where only git can tell, null outside a repository. */
function lookAt(tree: WorkTree): Head | null | undefined {
  if (typeof tree !== "string") return tree.files && readHeadAgain(tree.files);
  return isGitThere() ? readHead(tree, { env: gitEnvironment() }) : undefined;
}

function locateFiles(tree: WorkTree): GitPlace | null | undefined {
  return typeof tree === "string" ? lookAt(tree) : tree.files;
}

/** Returns the top of a work tree. */
export function rootOf(tree: WorkTree): string {
  return typeof tree === "string" ? tree : tree.root;
}

function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Asks git for the facts. */
export async function askGitFacts(cwd: string): Promise<GitFacts | undefined> {
  const [answer, branch] = await Promise.all([askFolders(cwd), askBranch(cwd)]);
  if (answer === undefined) return undefined;
  const { isShallow, root, common } = answer;
  return { root, commonFolder: await realpath(resolve(cwd, common)), branch, isShallow };
}

interface Folders {
  readonly isShallow: boolean;
  readonly root: string;
  readonly common: string;
}

async function askFolders(cwd: string): Promise<Folders | undefined> {
  const question = ["rev-parse", "--is-shallow-repository", "--git-common-dir", "--show-toplevel"];
  const { code, stdout } = await askGit(cwd, question);
  if (code !== 0) return undefined;
  const [isShallow = "", common = "", root = "", ...others] = withoutEnd(stdout).split("\n");
  const folders = { isShallow: isShallow === "true", common, root };
  if (others.length === 0) return folders;
  // A path with a line end in it is only told from another where each is an answer of its own.
  const [one, other] = await Promise.all([
    askGit(cwd, ["rev-parse", "--show-toplevel"]),
    askGit(cwd, ["rev-parse", "--git-common-dir"]),
  ]);
  return { ...folders, root: withoutEnd(one.stdout), common: withoutEnd(other.stdout) };
}

/** Asks git for the branch that is checked out; null on a detached HEAD. */
export async function askBranch(cwd: string): Promise<string | null> {
  const { code, stdout } = await askGit(cwd, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return code === 0 ? stdout.trim() : null;
}

/** Asks git for the commit that is checked out; undefined before the first one and outside git. */
export async function askTip(cwd: string): Promise<string | undefined> {
  const { code, stdout } = await askGit(cwd, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return code === 0 ? stdout.trim() : undefined;
}

/** Asks git whether it holds a commit. */
export async function askCommit(cwd: string, commit: string): Promise<boolean> {
  return (await askGit(cwd, ["cat-file", "-e", `${commit}^{commit}`])).code === 0;
}

/** Asks git for the files in which a merge has left conflicts. */
export async function askUnmerged(root: string): Promise<readonly string[] | undefined> {
  const { code, stdout } = await askGit(root, ["ls-files", "--unmerged", "-z"]);
  if (code !== 0) return undefined;
  // Each file is listed with its common, their and our version, and its name stands after a tab.
  const names = stdout.split("\0").map((line) => line.slice(line.indexOf("\t") + 1));
  return [...new Set(names)].filter((name) => name !== "");
}

function withoutEnd(line: string): string {
  return line.replace(/\n$/, "");
}

/** Returns the oldest commits of the current branch, or none before the first commit. Walks over all history. */
export async function readRootCommits(tree: WorkTree): Promise<readonly string[]> {
  const head = lookAt(tree);
  const tip = head ? readTip(head) : undefined;
  if (tip === null) return [];
  const first = head && tip !== undefined ? readFirstCommit(head.commonFolder, tip) : undefined;
  if (first !== undefined) return [first];
  const answer = await askGit(rootOf(tree), ["rev-list", "--max-parents=0", "HEAD", "--"]);
  return answer.code === 0 ? answer.stdout.split("\n").filter((line) => line !== "") : [];
}

/** Returns the address of the remote `origin` in one form for all its spellings and without a password, if there is one. */
export async function readRemote(tree: WorkTree): Promise<string | undefined> {
  const files = locateFiles(tree);
  // A user's own settings name no place that this repository came from; those of a process may.
  const isTold = ["GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"].some(
    (name) => name in gitEnvironment(),
  );
  const origin = files && !isTold ? readOrigin(files) : undefined;
  if (origin !== undefined) return origin === null ? undefined : normaliseRemote(origin);
  const answer = await askGit(rootOf(tree), ["config", "--get", "remote.origin.url"]);
  return answer.code === 0 ? normaliseRemote(answer.stdout.trim()) : undefined;
}

/** Returns `host/path` of a remote: `git@host:me/it.git` and `https://me:secret@host/me/it` are the same place. */
export function normaliseRemote(address: string): string | undefined {
  const [, host, path] =
    /^(?:[a-z+]+:\/\/)(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(address) ??
    /^(?:[^@/]+@)?([^/:]+):(?!\/\/|:)(.+)$/.exec(address) ??
    [];
  if (host === undefined || path === undefined) return undefined;
  return `${host.toLowerCase()}/${path
    .replace(/^\/+/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")}`;
}

/** The variables that git has when it is asked: those of this process. */
function gitEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Tells whether there is a git to ask. What its files say counts only where git itself would say it. */
function isGitThere(): boolean {
  if (process.platform === "win32") return false;
  const folders = (gitEnvironment().PATH ?? "").split(delimiter);
  return folders.some((folder) => isAbsolute(folder) && mayRun(join(folder, "git")));
}

function mayRun(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not for this user: git is looked for in the next folder.
    return false;
  }
}
