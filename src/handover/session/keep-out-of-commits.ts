import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { describeExposed } from "../../git/describe-exposed.ts";
import { excludeFromCommits, lockPattern, toPattern } from "../../git/exclude-list.ts";
import type { GitFacts } from "../../git/git-facts.ts";
import { isIgnored, listTracked } from "../../git/kept-out.ts";
import { AppError } from "../../lib/app-error.ts";
import { lockFileOf } from "../../lib/lock-file.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { locateHandover } from "../handover-folder.ts";

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
export function patternOf({ sddDir }: HandoverPlace): string {
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
