import { findMissing, renderAdded } from "./exclude-lines.ts";
import { changeExcludeList, locateExcludeList, readExcludeList } from "./exclude-list.ts";
import type { GitFacts } from "./git-facts.ts";

const heading = "# Carryon: what it keeps here is no part of the repository, unless you want it to be.";

/** The files that locks stand on. */
export const lockPattern = ".*.carryon-lock";

/** Adds lines to the list of the repository that is not committed itself; those that are there stay as they are. */
export async function excludeFromCommits(
  { commonFolder }: Pick<GitFacts, "commonFolder">,
  wanted: readonly string[],
): Promise<void> {
  const path = locateExcludeList(commonFolder);
  if (findMissing(await readExcludeList(path), wanted).length === 0) return;
  await changeExcludeList(path, (list) => {
    const lines = findMissing(list, wanted);
    const own = findMissing(list, [heading]);
    const added = lines.length === 0 ? "" : renderAdded(list, [...own, ...lines]);
    return Buffer.concat([list ?? Buffer.alloc(0), Buffer.from(added)]);
  });
}
