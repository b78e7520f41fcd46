import { lstat, mkdir, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeExposed } from "../git/describe-exposed.ts";
import {
  changeExcludeList,
  excludeFromCommits,
  findMissing,
  locateExcludeList,
  lockPattern,
  readExcludeList,
  takeOut,
  toPattern,
} from "../git/exclude-list.ts";
import type { GitFacts } from "../git/git-facts.ts";
import { isIgnored, listTracked } from "../git/kept-out.ts";
import { AppError, isSystemError, unlessGone } from "../lib/app-error.ts";
import { writeFailed } from "../lib/file-error.ts";
import { lockFileOf } from "../lib/lock-file.ts";
import { refuseLinks } from "../lib/read-below.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { locateHandover } from "./handover-folder.ts";

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

/**
 * Keeps documents that are about to be made out of commits, by the list of the repository that is not committed itself.
 *
 * A folder of documents that is there already stays as it is: somebody may have committed it, or wants to. Where the
 * list cannot be changed, returns a line that says so; the documents are worth more than a tidy status.
 */
export async function keepOutOfCommits(
  git: GitFacts | undefined,
  place: HandoverPlace,
): Promise<string | undefined> {
  if (git === undefined) return undefined;
  const isNew = (await unlessGone(lstat(locateHandover(place).folder))) === undefined;
  try {
    await excludeFromCommits(git, isNew ? [lockPattern, patternOf(place)] : [lockPattern]);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const line = await findExposed(place);
    return line === undefined ? undefined : describeExposed(`${place.sddDir}/handover`, line, error);
  }
}

/** Returns the line that keeps the documents out of commits. */
function patternOf({ sddDir }: HandoverPlace): string {
  return `${toPattern(sddDir)}/handover/`;
}

/** Returns the line that would keep out what git shows; undefined where another list does. */
async function findExposed(place: HandoverPlace): Promise<string | undefined> {
  const { folder, decisions } = locateHandover(place);
  // Documents in commits are there on purpose.
  const [file, line] =
    (await listTracked(place.root, folder)).length === 0
      ? [decisions, patternOf(place)]
      : [lockFileOf(join(folder, "handover")), lockPattern];
  return (await isIgnored(place.root, file)) ? undefined : line;
}
