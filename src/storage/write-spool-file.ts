import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import type { NewInboxItem } from "./new-inbox-item.ts";
import { locateSpool, renderSpoolFile, spoolSuffix, unfinishedSuffix } from "./spool-file.ts";

/**
 * Leaves an item in the spool of a home folder, durably; a reader sees all of it or nothing.
 *
 * The names are in the order of the items. The home folder has to be there.
 */
export function writeSpoolFile(home: string, item: NewInboxItem): void {
  const folder = locateSpool(home);
  makeFolder(folder);
  const time = String(item.receivedMs).padStart(14, "0");
  // Not for secrets, only so that no two hooks choose the same name.
  const random = Math.random().toString(36).slice(2, 10);
  const name = `${time}-${process.pid}-${random}${spoolSuffix}`;
  const temp = join(folder, `.${name}${unfinishedSuffix}`);
  try {
    writeDurably(temp, renderSpoolFile(item));
    renameSync(temp, join(folder, name));
  } catch (error) {
    removeIfPossible(temp);
    throw error;
  }
  syncFolder(folder);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
    return;
  }
  syncFolder(join(folder, ".."));
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function removeIfPossible(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The first error is the one to report; the next drain removes what is left.
  }
}
