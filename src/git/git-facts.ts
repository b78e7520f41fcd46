import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { askGit } from "./git.ts";

/** What git knows of the place where a command runs. */
export interface GitFacts {
  /** The top of the work tree. */
  readonly root: string;
  /** The folder that all work trees of the repository share. */
  readonly commonFolder: string;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  readonly isShallow: boolean;
}

/** Returns the facts, or undefined outside a work tree. */
export async function readGitFacts(cwd: string): Promise<GitFacts | undefined> {
  const [answer, branch] = await Promise.all([askFolders(cwd), readBranch(cwd)]);
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

/** Returns the branch that is checked out, or null on a detached HEAD. */
export async function readBranch(cwd: string): Promise<string | null> {
  const { code, stdout } = await askGit(cwd, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return code === 0 ? stdout.trim() : null;
}

function withoutEnd(line: string): string {
  return line.replace(/\n$/, "");
}

/** Returns the oldest commits of the current branch, or none before the first commit. Costs a walk over all history. */
export async function readRootCommits(cwd: string): Promise<readonly string[]> {
  const answer = await askGit(cwd, ["rev-list", "--max-parents=0", "HEAD", "--"]);
  return answer.code === 0 ? answer.stdout.split("\n").filter((line) => line !== "") : [];
}

/** Tells whether the repository holds a commit. */
export async function hasCommit(cwd: string, commit: string): Promise<boolean> {
  return (await askGit(cwd, ["cat-file", "-e", `${commit}^{commit}`])).code === 0;
}

/** Returns the address of the remote `origin` in one form for all its spellings and without a password, if there is one. */
export async function readRemote(cwd: string): Promise<string | undefined> {
  const answer = await askGit(cwd, ["config", "--get", "remote.origin.url"]);
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
