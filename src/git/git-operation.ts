import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "../lib/unless-gone.ts";

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
