import { lstat, mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isSystemError, unlessGone } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import {
  FileError,
  readFailed,
  readOnly,
  refuseSpecialFile,
  symlinkRefused,
  writeFailed,
} from "../lib/file-error.ts";
import { acquireLock } from "../lib/file-lock.ts";
import { lockFileOf } from "../lib/lock-file.ts";
import type { GitFacts } from "./git-facts.ts";

/** Returns the list by which a repository and all its work trees leave files out of commits, and which is in none. */
export function locateExcludeList(commonFolder: string): string {
  return join(commonFolder, "info", "exclude");
}

/** Returns what a list holds, also through a link, as git reads it; undefined where there is none. */
export async function readExcludeList(path: string): Promise<Buffer | undefined> {
  try {
    const stats = await unlessGone(stat(path));
    if (stats === undefined) return undefined;
    // A pipe would be waited for without end.
    refuseSpecialFile(path, stats);
    return await unlessGone(readFile(path));
  } catch (error) {
    throw readFailed(path, error);
  }
}

/**
 * Refuses a list that must not be written: one that is a link or lies in one, since it is somebody's list for other
 * repositories too, and one that its owner has made read-only.
 *
 * Asks for the permissions and not whether it can be written: root always can, and so can whoever may write the folder.
 */
export async function refuseUnwritable(path: string): Promise<void> {
  try {
    const folder = dirname(path);
    const folderStats = await unlessGone(lstat(folder));
    if (folderStats?.isSymbolicLink() === true) throw symlinkRefused(folder);
    if (folderStats?.isDirectory() === false) throw notAFolder(folder);
    const list = await unlessGone(lstat(path));
    if (list !== undefined) refuseSpecialFile(path, list);
    const above = folderStats ?? (await lstat(dirname(folder)));
    for (const { mode } of [above, ...(list === undefined ? [] : [list])])
      if ((mode & 0o222) === 0) throw readOnly(path);
  } catch (error) {
    throw writeFailed(path, error);
  }
}

/** How a list is changed. */
interface ListChange {
  /** Whether the file goes too on which the lock stands. */
  readonly leavesNoTrace?: boolean;
}

/**
 * Changes a list while nobody else of us does, so that a reader sees all of the old or all of the new.
 *
 * `change` is given what the list holds and returns what it is to hold; undefined where there is none, or is to be none.
 */
export async function changeExcludeList(
  path: string,
  change: (list: Buffer | undefined) => Buffer | undefined,
  { leavesNoTrace = false }: ListChange = {},
): Promise<void> {
  await refuseUnwritable(path);
  await makeFolder(path);
  const lock = await acquireLock(path);
  try {
    // It may have become a link while we waited.
    await refuseUnwritable(path);
    const after = change(await readExcludeList(path));
    if (after !== undefined) await writeFileAtomically(path, after, { mode: 0o644 });
    else await rm(path, { force: true });
    // While it is ours: whoever waits for it sees that it is another file than the one that can be found.
    if (leavesNoTrace) await rm(lockFileOf(path), { force: true });
  } catch (error) {
    throw writeFailed(path, error);
  } finally {
    await lock.release();
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(dirname(path));
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw writeFailed(path, error);
  }
}

function notAFolder(path: string): FileError {
  return new FileError(`${path} is not a folder.`, path, {
    code: "not-a-folder",
    hint: "Move away what is there.",
  });
}

/** Returns those lines that a list of what git leaves out does not have. */
export function findMissing(list: Buffer | undefined, lines: readonly string[]): readonly string[] {
  const known = new Set(toBytes(list).split(/\r?\n/));
  return lines.filter((line) => !known.has(Buffer.from(line).toString("latin1")));
}

/** Returns what has to be added to a list, so that it holds more lines; they end as its others do. */
export function renderAdded(list: Buffer | undefined, lines: readonly string[]): string {
  const text = toBytes(list);
  const end = /\r\n[^\n]*$/.test(text) ? "\r\n" : "\n";
  const first = text === "" || text.endsWith("\n") ? "" : end;
  return `${first}${lines.map((line) => `${line}${end}`).join("")}`;
}

/** Returns a list without what was added to it; undefined where that is not in it any more. */
export function takeOut(list: Buffer, added: string): Buffer | undefined {
  const wanted = Buffer.from(added);
  const at = findAtLineStart(list, wanted);
  if (at === undefined) return undefined;
  const rest = list.subarray(at + wanted.length);
  // The line before has no end of its own, and others may have added theirs since.
  const end = rest.length === 0 ? "" : (/^\r?\n/.exec(added)?.[0] ?? "");
  return Buffer.concat([list.subarray(0, at), Buffer.from(end), rest]);
}

/** Returns the line for a path from the top of a repository; git takes some characters for more than that. */
export function toPattern(path: string): string {
  return `/${path.replaceAll("\\", "/").replace(/[*?[\] ]/g, "\\$&")}`;
}

/** Git gives a list no encoding: each character of the text is one byte. */
function toBytes(list: Buffer | undefined): string {
  return list?.toString("latin1") ?? "";
}

/** Returns where bytes stand last that begin a line; another line may end like them. */
function findAtLineStart(list: Buffer, wanted: Buffer): number | undefined {
  const endsLine = /^\r?\n/.test(wanted.toString("latin1"));
  for (let at = list.lastIndexOf(wanted); at !== -1; at = at === 0 ? -1 : list.lastIndexOf(wanted, at - 1))
    if (at === 0 || endsLine || list[at - 1] === 0x0a) return at;
  return undefined;
}

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
