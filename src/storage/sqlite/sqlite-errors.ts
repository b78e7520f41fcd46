import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { StoreIsCorrupt, StoreIsFull, storeFailed, storeIsBusy, storeIsReadOnly } from "../store-errors.ts";

/** SQLite's primary result codes that mean something to the caller. */
const resultCode = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
};

/** SQLITE_IOERR_SHMSIZE: the file beside the database that its connections share cannot be made as large as it must be. */
const cannotShare = 4874;
/** How large it is at least. */
const sharedBytes = 32_768;

interface SqliteError extends Error {
  readonly errcode: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** Tells whether the statement may succeed when it is simply tried again. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === resultCode.busy || code === resultCode.locked || code === resultCode.protocol;
}

/** Tells whether a connection can no longer be trusted: after a failed sync, what is on disk is unknown. */
export function isFatal(error: unknown): boolean {
  return primaryCode(error) === resultCode.io;
}

/** Tells whether a file begins with something else than a database does. */
export function isNotADatabase(error: unknown): boolean {
  return primaryCode(error) === resultCode.notADatabase;
}

/** Tells whether SQLite could not make or write a file that it needs. */
export function isUnwritable(error: unknown): boolean {
  const code = primaryCode(error);
  return (
    code === resultCode.cannotOpen ||
    code === resultCode.readOnly ||
    code === resultCode.full ||
    lacksShared(error)
  );
}

function lacksShared(error: unknown): boolean {
  return isSqliteError(error) && error.errcode === cannotShare;
}

/** SQLite does not say why it could not enlarge the shared file. */
function isDiskFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < sharedBytes;
}

/** Returns the error that a caller can act on; anything that has nothing to do with the database is passed through. */
export function toStoreError(error: unknown, path: string): unknown {
  if (isHugeInteger(error)) return new StoreIsCorrupt(path, error.message, { cause: error });
  if (error instanceof AppError || !isSqliteError(error)) return error;
  if (lacksShared(error) && isDiskFull(path)) return new StoreIsFull(path, error);
  switch (primaryCode(error)) {
    case resultCode.full:
      return new StoreIsFull(path, error);
    case resultCode.busy:
    case resultCode.locked:
    case resultCode.protocol:
      return storeIsBusy(path, error);
    case resultCode.readOnly:
      return storeIsReadOnly(path, error);
    case resultCode.corrupt:
    case resultCode.notADatabase:
    // The statements and what is put into them are ours, so that only tables that differ from ours refuse them.
    case resultCode.error:
    case resultCode.constraint:
    case resultCode.mismatch:
      return new StoreIsCorrupt(path, error.message, { cause: error });
    default:
      return storeFailed(path, error.message, error);
  }
}

/** Tells whether a column holds a number beyond those that we write, which `node:sqlite` refuses to read. */
function isHugeInteger(error: unknown): error is RangeError {
  return error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}

/** The low byte of an extended code such as SQLITE_IOERR_FSYNC. */
function primaryCode(error: unknown): number | undefined {
  return isSqliteError(error) ? error.errcode & 0xff : undefined;
}
