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
  // One path an answer, and at its end, because a path may have line ends in it.
  const [top, common, branch] = await Promise.all([
    askGit(cwd, ["rev-parse", "--is-shallow-repository", "--show-toplevel"]),
    askGit(cwd, ["rev-parse", "--git-common-dir"]),
    readBranch(cwd),
  ]);
  if (top.code !== 0 || common.code !== 0) return undefined;
  const [isShallow = "", ...root] = withoutEnd(top.stdout).split("\n");
  return {
    root: root.join("\n"),
    commonFolder: await realpath(resolve(cwd, withoutEnd(common.stdout))),
    branch,
    isShallow: isShallow === "true",
  };
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
