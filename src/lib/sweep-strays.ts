import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "./app-error.ts";
import { type Clock, systemClock } from "./clock.ts";
import { readFailed, writeFailed } from "./file-error.ts";
import { isAlive, type Liveness, readOwnIdentity } from "./process-identity.ts";
import { parseTempName, placeOf, type TempOwner } from "./temp-name.ts";

export interface SweepOptions {
  /** How long a file of a process that cannot be seen from here must have been left alone: an hour, unless told. */
  readonly olderThanMs?: number;
  readonly clock?: Clock;
}

/**
 * Removes the temporary files that killed writers left in a folder, and returns their paths.
 *
 * A file whose writer ran here and is gone is removed at once, whatever the clock says; one whose writer lives, or is
 * stopped, never. Writers on another machine, in another container or before the last boot cannot be asked: their
 * files go by age. Should such a writer wake up after all, its write fails and the old content of its file stays.
 */
export async function sweepStrays(folder: string, options: SweepOptions = {}): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readNames(folder)) {
    const owner = parseTempName(name);
    if (owner === undefined) continue;
    const path = join(folder, name);
    if (await removeStray(path, owner, options)) removed.push(path);
  }
  return removed;
}

async function readNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw readFailed(folder, error);
  }
}

async function removeStray(path: string, owner: TempOwner, options: SweepOptions): Promise<boolean> {
  const { olderThanMs = 3_600_000, clock = systemClock } = options;
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return false;
    const liveness = await findOwner(owner);
    const age = clock.now().getTime() - stats.mtimeMs;
    if (liveness === "alive" || (liveness === "unknown" && age <= olderThanMs)) return false;
    await unlink(path);
    return true;
  } catch (error) {
    // Its writer has just renamed it, another sweep was faster, or it is not ours to remove: none of that is urgent.
    if (isSystemError(error, "ENOENT", "EACCES", "EPERM", "EROFS", "EBUSY")) return false;
    throw writeFailed(path, error);
  }
}

async function findOwner({ place, pid, started }: TempOwner): Promise<Liveness> {
  const own = await readOwnIdentity();
  return place === placeOf(own) ? isAlive({ ...own, pid, started }) : "unknown";
}
