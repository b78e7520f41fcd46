import type { BigIntStats } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { AppError } from "./app-error.ts";
import { makeTempPath } from "./atomic-file.ts";
import { monotonicMs } from "./clock.ts";
import { FileError, writeFailed } from "./file-error.ts";
import {
  emptyLockFile,
  ensureLockFile,
  linkLockFile,
  lockFileOf,
  removeLockFile,
  statLockFile,
  unlinkLockFile,
} from "./lock-file.ts";

/** The right to change a file, held until it is released or the process ends, however it ends. */
export interface FileLock extends AsyncDisposable {
  readonly path: string;
  /** Gives the lock back. A second call does nothing. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** How many milliseconds to wait for another holder: 5,000, unless told; 0 tries once. Counted without the clock. */
  readonly wait?: number;
  /**
   * What is left when the lock is given back: its file, unless told. All takers of a lock must say the same.
   *
   * With `nothing`, the file goes as the last act under the lock. Whoever waited on the file that has gone gets a lock
   * that is worth nothing, and notices: a taker counts only if the path still leads to the file that it locked. To know
   * that file for certain, it gives it a second name first and opens that one. While the name or the opened file is
   * there, no other file can get its number, so that an equal number means the same file. Windows, and file systems
   * without hard links, keep the lock file after all.
   */
  readonly leave?: "file" | "nothing";
}

/** Another process, or another part of this one, kept a lock for longer than the caller would wait. */
export class LockBusy extends AppError {
  readonly path: string;

  constructor(path: string) {
    super(`${path} is being changed by another process.`, {
      kind: "busy",
      code: "lock-busy",
      hint: "Try again in a moment.",
    });
    this.path = path;
  }
}

/** The locks of this process by the identity of their files, so that two names of one file are one lock. */
const held = new Map<string, DatabaseSync>();

/**
 * Takes the lock on a file, for a short change from read to rename. Waits while others hold it.
 *
 * The lock is a write transaction of SQLite on an empty file beside it, `.<name>.carryon-lock`, which is made on
 * first use and stays unless told. The operating system ends it with its process, so nobody ever has to judge whether
 * a holder is still there, and there is no moment between a judgement and a takeover at which two could take it. Nothing is
 * written: a holder that is killed leaves the file as it was, and if something else writes into it, the next taker
 * empties it in place, which leaves a holder's lock as it is.
 *
 * The lock is advisory and lasts as long as nobody else deletes or replaces the lock file; and since closing a file
 * drops every POSIX lock that the process has on it, nothing else in this process may open the lock file.
 */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<FileLock> {
  const lockFile = resolve(lockFileOf(path));
  const deadline = monotonicMs() + (options.wait ?? 5000);
  const leavesNothing = options.leave === "nothing" && process.platform !== "win32";
  try {
    const secondName = leavesNothing ? await makeTempPath(lockFile) : undefined;
    for (let longest = 2; ; longest = Math.min(longest * 2, 40)) {
      await ensureLockFile(lockFile);
      const release = tryLock(lockFile, secondName);
      if (release !== undefined) return { path, release, [Symbol.asyncDispose]: release };
      if (monotonicMs() >= deadline) throw new LockBusy(path);
      // Random, so that those who wait do not come back all at once.
      const pause = () => Math.min(Math.max(deadline - monotonicMs(), 0), 1 + Math.random() * longest);
      if (secondName === undefined) await sleep(pause());
      else await sleepWhileHeld(lockFile, pause);
    }
  } catch (error) {
    throw writeFailed(lockFile, error);
  }
}

/** Does something while nobody else who takes the lock does, and gives it back whatever happens. */
export async function withLock<Result>(
  path: string,
  work: () => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const lock = await acquireLock(path, options);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * Waits until there is no lock file: it goes with its holder, so that one look tells what only an attempt could tell
 * otherwise, and many may wait without keeping the holder from its work. A killed holder leaves its file, so that one
 * that stays the same is tried after some looks.
 */
async function sleepWhileHeld(lockFile: string, pause: () => number): Promise<void> {
  let seen: string | undefined;
  for (let looks = 0; looks < 12; looks += 1) {
    const wait = pause();
    await sleep(wait);
    const stats = statLockFile(lockFile);
    if (stats === undefined || wait === 0) return;
    const now = `${stats.ino}:${stats.birthtimeNs}`;
    if (now !== seen) looks = 0;
    seen = now;
  }
}

/** Takes the lock and returns what gives it back, or returns undefined if that was not possible just now. */
function tryLock(lockFile: string, secondName: string | undefined): (() => Promise<void>) | undefined {
  const stats = statLockFile(lockFile);
  if (stats === undefined || held.has(keyOf(stats))) return undefined;
  if (stats.size > 0n) emptyLockFile(lockFile);
  const linked = secondName === undefined ? "refused" : linkLockFile(lockFile, secondName);
  if (linked === "gone") return undefined;
  const isLinked = linked === "linked" && secondName !== undefined;
  const taken = isLinked ? lockSecondName(lockFile, secondName) : lockName(lockFile, lockFile, keyOf(stats));
  if (taken === undefined) return undefined;
  const { key, db } = taken;
  held.set(key, db);
  return async () => {
    if (held.get(key) !== db) return;
    held.delete(key);
    if (isLinked) removeLockFile(lockFile, (stats) => keyOf(stats) === key);
    db.close();
  };
}

interface Taken {
  readonly key: string;
  readonly db: DatabaseSync;
}

/** Takes the lock through the second name of the file, which goes at once. */
function lockSecondName(lockFile: string, secondName: string): Taken | undefined {
  try {
    const stats = statLockFile(secondName);
    if (stats === undefined || held.has(keyOf(stats))) return undefined;
    return lockName(lockFile, secondName, keyOf(stats));
  } finally {
    unlinkLockFile(secondName);
  }
}

/** Begins the transaction that is the lock, or returns undefined if another has one or the file has just changed. */
function lockName(lockFile: string, name: string, key: string): Taken | undefined {
  const url = pathToFileURL(name);
  // Never makes the file: it would be open to all.
  url.searchParams.set("mode", "rw");
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(url, { timeout: 0 });
    // Without it, the transaction would make a journal file.
    db.exec("PRAGMA journal_mode = MEMORY");
    db.exec("BEGIN IMMEDIATE");
    // Where SQLite can only read the file, the transaction locks nothing, and only a change brings that to light.
    // This one stays in memory.
    db.exec("PRAGMA user_version = 1");
    // The lock counts only if it is on the file that others will find, and if that is still empty: on a database
    // with content it could be of a kind that takes other locks.
    const stats = statLockFile(lockFile);
    if (stats !== undefined && keyOf(stats) === key && stats.size === 0n) return { key, db };
    db.close();
    return undefined;
  } catch (error) {
    db?.close();
    if (isPassing(error, name)) return undefined;
    throw fromSqlite(error, lockFile);
  }
}

function keyOf({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

const sqlite = { busy: 5, readOnly: 8, corrupt: 11, cannotOpen: 14, notADatabase: 26 };

function isPassing(error: unknown, lockFile: string): boolean {
  const code = resultCode(error);
  if (code === sqlite.cannotOpen) return statLockFile(lockFile) === undefined;
  return code === sqlite.busy || code === sqlite.corrupt || code === sqlite.notADatabase;
}

function fromSqlite(cause: unknown, lockFile: string): AppError {
  if (resultCode(cause) !== sqlite.readOnly) return writeFailed(lockFile, cause);
  return new FileError(`${lockFile} may not be written.`, lockFile, {
    code: "read-only",
    hint: "Check the permissions of the file and of its folder.",
    cause,
  });
}

/** Returns the primary result code of SQLite, without what it adds in the upper bits. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return undefined;
  return error.errcode & 0xff;
}
