import { readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import { readFailed } from "../lib/file-error.ts";
import { openInbox } from "./open-inbox.ts";
import { locateSpool, parseSpoolFile, rejectedSuffix, spoolSuffix, unfinishedSuffix } from "./spool-file.ts";

export interface Drained {
  /** How many items went into the inbox. */
  readonly items: number;
  /** Files that are no items; they were given another name and are left where they are. */
  readonly rejected: readonly { readonly file: string; readonly reason: string }[];
}

/** A hook takes a moment to write a file; one that is older was left by a hook that was killed, and nobody was promised it. */
const unfinishedForMs = 3_600_000;

/**
 * Moves what hooks left in the spool of a home folder into the inbox, oldest first. One process at a time may drain.
 *
 * Each file goes only when its item is on disk; a drain that is killed and done again adds nothing twice.
 */
export async function drainSpool(home: string): Promise<Drained> {
  const folder = locateSpool(home);
  const names = (await list(folder)).toSorted();
  await sweepUnfinished(folder, names);
  const complete = names.filter((name) => !name.startsWith(".") && name.endsWith(spoolSuffix));
  if (complete.length === 0) return { items: 0, rejected: [] };
  const inbox = await openInbox(home);
  const rejected: { readonly file: string; readonly reason: string }[] = [];
  try {
    for (const name of complete) {
      const path = join(folder, name);
      const item = parseSpoolFile(await read(path));
      if ("reason" in item) {
        await rename(path, `${path}${rejectedSuffix}`);
        rejected.push({ file: `${path}${rejectedSuffix}`, reason: item.reason });
      } else {
        await inbox.put([item]);
        await unlink(path);
      }
    }
  } finally {
    await inbox[Symbol.asyncDispose]();
  }
  return { items: complete.length - rejected.length, rejected };
}

/** Tells whether a hook ever had to leave something in the spool of a home folder. */
export async function hasSpool(home: string): Promise<boolean> {
  return (await list(locateSpool(home))).length > 0;
}

async function list(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw readFailed(folder, error);
  }
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw readFailed(path, error);
  }
}

async function sweepUnfinished(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => each.startsWith(".") && each.endsWith(unfinishedSuffix))) {
    try {
      const { mtimeMs } = await stat(join(folder, name));
      if (Date.now() - mtimeMs > unfinishedForMs) await unlink(join(folder, name));
    } catch (error) {
      // Its writer has just finished it.
      if (!isSystemError(error, "ENOENT")) throw readFailed(join(folder, name), error);
    }
  }
}
