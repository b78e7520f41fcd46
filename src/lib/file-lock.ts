import type { BigIntStats } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { AppError } from "./app-error.ts";
import { FileError, writeFailed } from "./file-error.ts";
import { emptyLockFile, ensureLockFile, lockFileOf, statLockFile } from "./lock-file.ts";

/** The right to change a file, held until it is released or the process ends, however it ends. */
export interface FileLock extends AsyncDisposable {
  readonly path: string;
  /** Gives the lock back. A second call does nothing. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** How many milliseconds to wait for another holder: 5,000, unless told; 0 tries once. Counted without the clock. */
  readonly wait?: number;
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
 * first use and stays. The operating system ends it with its process, so nobody ever has to judge whether a holder
 * is still there, and there is no moment between a judgement and a takeover at which two could take it. Nothing is
 * written: a holder that is killed leaves the file as it was, and if something else writes into it, the next taker
 * empties it in place, which leaves a holder's lock as it is.
 *
 * The lock is advisory and lasts as long as the lock file is neither deleted nor replaced; and since closing a file
 * drops every POSIX lock that the process has on it, nothing else in this process may open the lock file.
 */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<FileLock> {
  const lockFile = resolve(lockFileOf(path));
  const deadline = performance.now() + (options.wait ?? 5000);
  try {
    for (let longest = 2; ; longest = Math.min(longest * 2, 40)) {
      await ensureLockFile(lockFile);
      const release = tryLock(lockFile);
      if (release !== undefined) return { path, release, [Symbol.asyncDispose]: release };
      const left = deadline - performance.now();
      if (left <= 0) throw new LockBusy(path);
      // Random, so that those who wait do not come back all at once.
      await sleep(Math.min(left, 1 + Math.random() * longest));
    }
  } catch (error) {
    throw writeFailed(lockFile, error);
  }
}

/** Takes the lock and returns what gives it back, or returns undefined if that was not possible just now. */
function tryLock(lockFile: string): (() => Promise<void>) | undefined {
  const stats = statLockFile(lockFile);
  if (stats === undefined) return undefined;
  const key = keyOf(stats);
  if (held.has(key)) return undefined;
  if (stats.size > 0n) emptyLockFile(lockFile);
  const db = beginTransaction(lockFile, key);
  if (db === undefined) return undefined;
  held.set(key, db);
  return async () => {
    if (held.get(key) !== db) return;
    held.delete(key);
    db.close();
  };
}

/** Begins the transaction that is the lock, or returns undefined if another has one or the file has just changed. */
function beginTransaction(lockFile: string, key: string): DatabaseSync | undefined {
  const url = pathToFileURL(lockFile);
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
    if (stats !== undefined && keyOf(stats) === key && stats.size === 0n) return db;
    db.close();
    return undefined;
  } catch (error) {
    db?.close();
    if (isPassing(error, lockFile)) return undefined;
    throw fromSqlite(error, lockFile);
  }
}

function keyOf({ dev, ino }: BigIntStats): string {
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
