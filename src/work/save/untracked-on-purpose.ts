import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitPath } from "../../git/git-path.ts";
import type { ChangedPath } from "../../git/git-status.ts";
import type { Repository } from "../../git/repository.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { readFailed } from "../../lib/file-error.ts";
import { parseIfJson } from "../../lib/parse-if-json.ts";
import { unlessGone } from "../../lib/unless-gone.ts";

/** Returns the files that saves have found taken out of the index: to git they look like new ones later. */
export async function readUntracked(repository: Repository): Promise<ReadonlySet<GitPath>> {
  const path = locateList(repository);
  try {
    const text = await unlessGone(readFile(path, "utf8"));
    const list = text === undefined ? [] : parseIfJson(text);
    return new Set(Array.isArray(list) ? list : []);
  } catch (error) {
    throw readFailed(path, error);
  }
}

/** Keeps the list of them. Whoever adds one again, or removes it, takes it off the list. */
export async function keepUntracked(repository: Repository, changes: readonly ChangedPath[]): Promise<void> {
  const now = changes.flatMap(({ path, isTakenOut }) => (isTakenOut ? [path] : [])).sort();
  const before = [...(await readUntracked(repository))].sort();
  if (JSON.stringify(now) !== JSON.stringify(before))
    await writeFileAtomically(locateList(repository), JSON.stringify(now));
}

function locateList({ folder }: Repository): string {
  return join(folder, "untracked.json");
}
