import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readFailed } from "../../lib/file-error.ts";
import { resolveInside } from "../../lib/resolve-inside.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { isChangeId } from "./change-id.ts";

/** Where the changes of a project are, from its top. */
const changesFolder = join("openspec", "changes");

/** Where a change is, from the top of the project. */
export interface ChangePlace {
  readonly path: string;
  readonly isArchived: boolean;
}

/** Returns the ids of the changes that are not archived, in alphabetical order. */
export async function listActive(root: string): Promise<readonly string[]> {
  return (await listFolders(root, changesFolder)).filter(isChangeId);
}

/** Finds a change, also among the archived ones; undefined if there is none, or the id is none. */
export async function locateChange(root: string, id: string): Promise<ChangePlace | undefined> {
  if (!isChangeId(id)) return undefined;
  if ((await listActive(root)).includes(id)) return { path: join(changesFolder, id), isArchived: false };
  const archive = join(changesFolder, "archive");
  // A change that was archived twice is the one of the later date.
  const name = (await listFolders(root, archive)).findLast((each) => idOf(each) === id || each === id);
  return name === undefined ? undefined : { path: join(archive, name), isArchived: true };
}

/** An archived change has the date before its id. */
function idOf(name: string): string {
  return name.replace(/^\d{4}-\d{2}-\d{2}-/, "");
}

async function listFolders(root: string, path: string): Promise<readonly string[]> {
  const folder = await resolveInside(root, path);
  if (folder === undefined) return [];
  try {
    const found = (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? [];
    // A link counts as a folder: where it leads is found out when something is read there.
    const folders = found.filter((each) => each.isDirectory() || each.isSymbolicLink());
    return folders.map(({ name }) => name).sort();
  } catch (error) {
    throw readFailed(folder, error);
  }
}
