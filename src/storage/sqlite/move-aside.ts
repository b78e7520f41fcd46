import { existsSync } from "node:fs";
import { copyFile, link, rename, rm } from "node:fs/promises";
import { isSystemError } from "../../lib/app-error.ts";
import { syncFolder } from "../../lib/atomic-file.ts";
import { writeFailed } from "../../lib/file-error.ts";
import { locateStore } from "../open-store.ts";
import { timeStamp } from "./time-stamp.ts";

/**
 * Gives a store that cannot be used another name, side files included, so that a new one can begin. Returns the name, or
 * that of the WAL where nothing else was left.
 *
 * The WAL belongs to the database: it has its new name before the database has, and loses the old one after it, so
 * that whoever is interrupted in between never leaves one without the other.
 */
export async function moveAside(home: string, now: Date): Promise<string> {
  const path = locateStore(home);
  const aside = findFreeName(`${path}.aside-${timeStamp(now)}`);
  try {
    await ifThere(keepUnder(`${path}-wal`, `${aside}-wal`));
    const isMoved = await ifThere(rename(path, aside));
    await rm(`${path}-wal`, { force: true });
    await ifThere(rename(`${path}-shm`, `${aside}-shm`));
    await syncFolder(home);
    return isMoved ? aside : `${aside}-wal`;
  } catch (error) {
    throw writeFailed(path, error);
  }
}

/** Returns the name, or one with a number after it if something has it already. */
function findFreeName(name: string): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(free) && !existsSync(`${free}-wal`)) return free;
  }
}

/** Gives a file a second name, or where there are no hard links, makes a copy. */
async function keepUnder(path: string, name: string): Promise<void> {
  try {
    await link(path, name);
  } catch (error) {
    if (!isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    await copyFile(path, name);
  }
}

/** Waits for something to be done with a file, and tells whether it was there. */
async function ifThere(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
    return false;
  }
}
