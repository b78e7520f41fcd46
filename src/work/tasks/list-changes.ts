import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone, usageError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { resolveInside } from "../../lib/resolve-inside.ts";

/** Tells whether a text can be the id of a change: the name of one folder, which is no path and no option. */
export function isChangeId(text: string): boolean {
  const isName = /^[^\p{C}/\\.\s-][^\p{C}/\\]*$/u.test(text) && !text.endsWith(" ");
  return isName && text.toLowerCase() !== "archive" && Buffer.byteLength(text) <= 200;
}

/** Throws when a text that somebody gave cannot be the id of a change. */
export function refuseChangeId(text: string): void {
  if (isChangeId(text)) return;
  throw usageError("invalid-change", "This cannot be the id of a change of OpenSpec.", {
    hint: "Give the name of a folder in openspec/changes.",
  });
}

/** Where a change of OpenSpec is, and whether anybody has said why it is made. */
export interface InspectedChange extends ChangePlace {
  readonly hasProposal: boolean;
}

/** Looks at a change, active or archived; undefined if there is none. */
export async function inspectChange(root: string, id: string): Promise<InspectedChange | undefined> {
  const place = await locateChange(root, id);
  if (place === undefined || (await resolveInside(root, place.path)) === undefined) return undefined;
  const proposal = await resolveInside(root, place.path, "proposal.md");
  return { ...place, hasProposal: proposal !== undefined && (await lstat(proposal)).isFile() };
}

/** Where the changes of a project are, from its top. */
const changesFolder = join("openspec", "changes");

/** Where a change is, from the top of the project. */
interface ChangePlace {
  readonly path: string;
  readonly isArchived: boolean;
}

/** Returns the ids of the changes that are not archived, in alphabetical order. */
export async function listActive(root: string): Promise<readonly string[]> {
  return (await listFolders(root, changesFolder)).filter(isChangeId);
}

/** Finds a change, also among the archived ones; undefined if there is none, or the id is none. */
async function locateChange(root: string, id: string): Promise<ChangePlace | undefined> {
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
