import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type HandoverPlace, locateHandover } from "../../handover/handover-folder.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { acquireLock } from "../../lib/file-lock.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import type { GitFacts } from "../../work/git-facts.ts";
import { renderAdded, toPattern } from "../install/exclude.ts";
import { readText } from "../install/file-change.ts";

const heading = "# Carryon: what it keeps here is no part of the repository, unless you want it to be.";
/** The files that locks stand on. */
const locks = ".*.carryon-lock";

/**
 * Keeps documents that are about to be made out of commits, by the list of the repository that is not committed itself.
 *
 * A folder of documents that is there already stays as it is: somebody may have committed it, or wants to.
 */
export async function keepOutOfCommits(git: GitFacts | undefined, place: HandoverPlace): Promise<void> {
  if (git === undefined) return;
  const isNew = (await unlessGone(lstat(locateHandover(place).folder))) === undefined;
  const wanted = isNew ? [locks, `${toPattern(place.sddDir)}/handover/`] : [locks];
  const path = join(git.commonFolder, "info", "exclude");
  if (missingIn((await readText(path)) ?? "", wanted).length === 0) return;
  await mkdir(dirname(path), { recursive: true });
  const lock = await acquireLock(path);
  try {
    const text = (await readText(path)) ?? "";
    const lines = missingIn(text, wanted);
    const own = text.includes(heading) ? lines : [heading, ...lines];
    await writeFileAtomically(path, text + renderAdded(text, own), { mode: 0o644 });
  } finally {
    await lock.release();
  }
}

function missingIn(text: string, wanted: readonly string[]): readonly string[] {
  const lines = new Set(text.split(/\r?\n/));
  return wanted.filter((line) => !lines.has(line));
}
