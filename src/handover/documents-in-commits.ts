import { lstat, mkdir, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import {
  changeExcludeList,
  excludeFromCommits,
  findMissing,
  locateExcludeList,
  readExcludeList,
  takeOut,
} from "../git/exclude-list.ts";
import type { GitFacts } from "../git/git-facts.ts";
import { isIgnored, listTracked } from "../git/kept-out.ts";
import { isSystemError } from "../lib/app-error.ts";
import { writeFailed } from "../lib/file-error.ts";
import { refuseLinks } from "../lib/read-below.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { locateHandover } from "./handover-folder.ts";
import { patternOf } from "./session/keep-out-of-commits.ts";

/** Whether the documents of a handover are in commits: nobody has said; they are; or they are kept out. */
export type DocumentsChoice = "undecided" | "committed" | "private";

/** Reads where the documents of a repository live; a folder that is tracked, or there and not ignored, counts as chosen. */
export async function readDocumentsChoice(place: HandoverPlace): Promise<DocumentsChoice> {
  const { folder, session } = locateHandover(place);
  if (await areTracked(place)) return "committed";
  if (await isIgnored(place.root, session)) return "private";
  return (await unlessGone(lstat(folder))) === undefined ? "undecided" : "committed";
}

/** Lets documents be committed with the repository: their folder is there, and nothing of us keeps it out. */
export async function commitDocuments(git: GitFacts, place: HandoverPlace): Promise<void> {
  const { folder } = locateHandover(place);
  await refuseLinks(place.root, folder);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw writeFailed(folder, error);
  }
  const path = locateExcludeList(git.commonFolder);
  const line = patternOf(place);
  if (findMissing(await readExcludeList(path), [line]).length > 0) return;
  await changeExcludeList(path, (list) => (list && takeOut(list, `${line}\n`)) ?? list);
}

/** Keeps documents out of commits; tells whether some are tracked, which stay so. */
export async function hideDocuments(git: GitFacts, place: HandoverPlace): Promise<boolean> {
  await excludeFromCommits(git, [patternOf(place)]);
  return areTracked(place);
}

async function areTracked(place: HandoverPlace): Promise<boolean> {
  return (await listTracked(place.root, locateHandover(place).folder)).length > 0;
}

/** Removes the folder of the documents if nothing was ever written into it; tells whether there are documents. */
export async function dropEmptyDocuments(place: HandoverPlace): Promise<boolean> {
  const { folder } = locateHandover(place);
  try {
    for (const each of [folder, dirname(folder)]) await rmdir(each);
  } catch (error) {
    if (!isSystemError(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) throw writeFailed(folder, error);
  }
  return (await unlessGone(lstat(folder))) !== undefined;
}
