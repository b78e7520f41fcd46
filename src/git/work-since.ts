import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessGone } from "../lib/app-error.ts";
import { readChangedFiles } from "./git-changes.ts";
import { rootOf, type WorkTree } from "./git-facts.ts";
import { askGit } from "./run/ask-git.ts";

/** More subjects than a person reads. */
const mostCommits = 50;

/** A commit that only saves work in progress. */
export const checkpoint = /^WIP: .* - checkpoint$/;

/** A commit of the user, and when it was made. */
export interface OwnCommit {
  readonly subject: string;
  readonly at: Date;
}

/**
 * Returns the commits that the user of a repository has made since a moment, oldest first: those of others, which came
 * with a pull, are no work of this place. Git counts whole seconds, and that of the moment is among them.
 */
export async function readOwnCommits(root: string, since: Date): Promise<readonly OwnCommit[]> {
  const format = "--format=%ct%x00%ce%x00%s%x00";
  const [log, user] = await Promise.all([
    askGit(root, ["log", "--first-parent", "--no-merges", `-${mostCommits}`, format, "HEAD", "--"]),
    askGit(root, ["config", "--get", "user.email"]),
  ]);
  if (log.code !== 0) return [];
  const from = Math.floor(since.getTime() / 1000);
  const own = user.code === 0 ? user.stdout.trim() : undefined;
  const texts = log.stdout.split("\0").map((text) => text.trim());
  const commits: OwnCommit[] = [];
  for (let at = 0; at + 2 < texts.length; at += 3) {
    const [seconds = "", email, subject = ""] = texts.slice(at, at + 3);
    if (Number(seconds) >= from && (own === undefined || email === own))
      commits.push({ subject, at: new Date(Number(seconds) * 1000) });
  }
  return commits.reverse();
}

/** Tells whether a file of a work tree differs from what is committed and was changed after a moment. */
export async function hasChangedSince(
  tree: WorkTree,
  since: Date,
  isOfWork: (file: string) => boolean,
): Promise<boolean> {
  for (const file of (await readChangedFiles(tree, undefined)).filter(isOfWork))
    if (await isNewer(join(rootOf(tree), file), since)) return true;
  return false;
}

/** Tells whether a file was changed after a moment. One that is gone has changed the folder that it was in. */
export async function isNewer(path: string, since: Date): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const stats = await unlessGone(lstat(at));
    if (stats !== undefined || dirname(at) === at) return stats !== undefined && stats.mtime > since;
  }
}
