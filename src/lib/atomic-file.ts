import { createHash } from "node:crypto";
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isSystemError } from "./app-error.ts";
import { type Clock, systemClock } from "./clock.ts";
import { readFailed, refuseSpecialFile, writeFailed } from "./file-error.ts";
import { isAlive, type Liveness, type ProcessIdentity, readOwnIdentity } from "./process-identity.ts";
import { type RandomSource, systemRandom } from "./uuid-v7.ts";

export interface AtomicWriteOptions {
  /** Permissions of a file that is new; one that is replaced keeps its own. Only its owner may read it unless told. */
  readonly mode?: number;
  /** Whether only its owner may read it afterwards, also where others could read the one that is replaced. */
  readonly isPrivate?: boolean;
  /** Whether a file that is there already is left as it is, and the write refused: it fails with EEXIST. */
  readonly isNew?: boolean;
  /** Where the random part of the temporary name comes from. */
  readonly random?: RandomSource;
  /** Whose name the temporary file bears: this process, unless told. */
  readonly owner?: ProcessIdentity;
}

/**
 * Replaces the content of a file, or makes it, so that a reader sees all of the old or all of the new.
 *
 * When it returns, the new content survives a power cut. When it throws, the old content is there, with one
 * exception: if only the folder could not be synced, the new one is there, complete, but may not survive a power cut.
 * A writer that is killed leaves at most a temporary file, which `sweepStrays` removes.
 */
export async function writeFileAtomically(
  path: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  await writeStreamAtomically(path, [bytes], options);
}

/** Does the same with content that comes piece by piece, of any size; a stream that fails leaves the file as it was. */
export async function writeStreamAtomically(
  path: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  options: AtomicWriteOptions = {},
): Promise<void> {
  try {
    const before = await readMode(path);
    const mode = options.isPrivate === true ? 0o600 : (before ?? options.mode ?? 0o600);
    const owner = options.owner ?? (await readOwnIdentity());
    const temp = join(dirname(path), makeTempName(basename(path), owner, options.random ?? systemRandom));
    // Exclusive: what somebody else has put under this name is neither followed nor removed.
    const handle = await open(temp, "wx", 0o600);
    try {
      await fill(handle, chunks, mode);
      if (options.isNew === true) await link(temp, path);
      else await rename(temp, path);
    } catch (error) {
      await removeIfPossible(temp);
      throw error;
    }
    if (options.isNew === true) await removeIfPossible(temp);
    await syncFolder(dirname(path));
  } catch (error) {
    throw writeFailed(path, error);
  }
}

/** Returns the permissions of the file that is to be replaced, or undefined if there is none. */
async function readMode(path: string): Promise<number | undefined> {
  try {
    const stats = await lstat(path);
    refuseSpecialFile(path, stats);
    return stats.mode & 0o777;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function fill(
  handle: FileHandle,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  mode: number,
): Promise<void> {
  try {
    for await (const chunk of chunks)
      await writeFully(handle, typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    if (mode !== 0o600) await handle.chmod(mode);
    await handle.sync();
  } finally {
    // Some file systems report a failed write only here.
    await handle.close();
  }
}

async function removeIfPossible(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch {
    // The first error is the one to report, and a disk that fails now gives up the file to the next sweep.
  }
}

/** The most that all systems take in one call. */
const largest = 2 ** 30;

/**
 * Writes all bytes at the current position of a file, in as many calls as it takes.
 *
 * A disk that fills up takes part of the bytes and reports no error until the next call.
 */
export async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const size = Math.min(bytes.byteLength - written, largest);
    const { bytesWritten } = await handle.write(bytes, written, size, null);
    if (bytesWritten === 0) throw new Error("the system took no bytes and gave no reason");
    written += bytesWritten;
  }
}

/**
 * Makes the names in a folder durable: without it, a file that was made or renamed may be gone after a power cut.
 *
 * Windows has no such call for folders and keeps names by itself.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    await syncFile(path);
  } catch (error) {
    if (process.platform === "win32" && isSystemError(error, "EISDIR", "EPERM", "EINVAL", "EACCES")) return;
    throw error;
  }
}

/** Makes the content of a file durable, whoever wrote it. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

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

interface SweepOptions {
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
