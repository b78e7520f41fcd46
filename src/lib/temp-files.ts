import { createHash } from "node:crypto";
import { lstat, readdir, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isSystemError } from "./app-error.ts";
import { type Clock, systemClock } from "./clock.ts";
import { readFailed, writeFailed } from "./file-error.ts";
import { isAlive, type Liveness, type ProcessIdentity, readOwnIdentity } from "./process-identity.ts";
import { type RandomSource, systemRandom } from "./uuid-v7.ts";

/** What the name of a temporary file tells about the process that made it. */
interface TempOwner {
  /** Hash of the machine, the boot and the pid namespace. */
  readonly place: string;
  readonly pid: number;
  readonly started: string | null;
}

/** A database in the making has side files, and git's index a lock, which are as much a stray as itself. */
const pattern =
  /^\..*\.([0-9a-f]{12})-(\d{1,15})-(\d{1,20})-[0-9a-f]{16}\.carryon-tmp(?:-wal|-shm|-journal|\.lock)?$/s;

/**
 * Returns a name for a temporary file that is to become `base`: `.<base>.<place>-<pid>-<started>-<random>.carryon-tmp`.
 *
 * A long base is cut, so that the name fits wherever the base does.
 */
export function makeTempName(base: string, owner: ProcessIdentity, random: RandomSource): string {
  const start = Buffer.from(base).subarray(0, 120).toString();
  const suffix = Buffer.from(random(8)).toString("hex");
  return `.${start}.${placeOf(owner)}-${owner.pid}-${owner.started ?? 0}-${suffix}.carryon-tmp`;
}

/** Returns who made a temporary file, or undefined if the name is not one of ours. */
export function parseTempName(name: string): TempOwner | undefined {
  const match = pattern.exec(name);
  if (match === null) return undefined;
  const [, place = "", pid = "", started = ""] = match;
  return { place, pid: Number(pid), started: started === "0" ? null : started };
}

/** Returns the short name of where a process runs: equal for all that can see each other. */
export function placeOf({ host, machine, boot, pidNamespace }: ProcessIdentity): string {
  const place = JSON.stringify([host, machine, boot, pidNamespace]);
  return createHash("sha256").update(place).digest("hex").slice(0, 12);
}

/** Returns a path beside another for a file in the making; `sweepStrays` removes it when its maker is gone. */
export async function makeTempPath(path: string): Promise<string> {
  return join(dirname(path), makeTempName(basename(path), await readOwnIdentity(), systemRandom));
}

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
