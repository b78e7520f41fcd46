import type { Stats } from "node:fs";
import { constants } from "node:os";
import { AppError, type ErrorFacts, isSystemError } from "./app-error.ts";

/** A failure of one file: of the disk, of permissions, or of what lies at its path. */
export class FileError extends AppError {
  readonly path: string;

  constructor(message: string, path: string, facts: Omit<ErrorFacts, "kind">) {
    super(message, { kind: "io", ...facts });
    this.path = path;
  }
}

/** Turns whatever went wrong while writing a file into an error that says who has to act. */
export function writeFailed(path: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (isSystemError(cause, "ENOSPC", "EFBIG") || isOverQuota(cause)) {
    return new FileError(`There is no room to write ${path}.`, path, {
      code: "disk-full",
      hint: "Free some space on its disk, or raise the quota, and try again.",
      cause,
    });
  }
  if (isSystemError(cause, "EROFS", "EACCES", "EPERM")) {
    return readOnly(path, cause);
  }
  // What the system says names the temporary file.
  if (isSystemError(cause, "ENOENT", "ENOTDIR")) {
    return new FileError(`${path} could not be written: its folder is not there.`, path, {
      code: "io-failed",
      hint: "Make the folder first, or choose another place.",
      cause,
    });
  }
  return new FileError(`${path} could not be written: ${describe(cause)}.`, path, {
    code: "io-failed",
    cause,
  });
}

/** Says that a file may not be written. */
export function readOnly(path: string, cause?: unknown): FileError {
  return new FileError(`${path} may not be written.`, path, {
    code: "read-only",
    hint: "Check the permissions of the file and of its folder.",
    cause,
  });
}

/** Turns whatever went wrong while reading a file into an error that says who has to act. */
export function readFailed(path: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (isSystemError(cause, "ENOENT")) {
    return new FileError(`${path} does not exist.`, path, { code: "file-missing", cause });
  }
  if (isSystemError(cause, "EACCES", "EPERM")) {
    return new FileError(`${path} may not be read.`, path, {
      code: "io-failed",
      hint: "Check the permissions of the file and of its folder.",
      cause,
    });
  }
  if (isSystemError(cause, "EISDIR")) {
    return new FileError(`${path} is a folder and no file.`, path, {
      code: "io-failed",
      hint: "Move away what is there.",
      cause,
    });
  }
  return new FileError(`${path} could not be read: ${describe(cause)}.`, path, { code: "io-failed", cause });
}

/** Refuses a path that leads elsewhere: what is written there would land in a file that nobody named. */
export function symlinkRefused(path: string, cause?: unknown): FileError {
  return new FileError(`${path} is a symbolic link and is not written through.`, path, {
    code: "symlink-refused",
    hint: "Replace the link by a regular file.",
    cause,
  });
}

/** A folder on the way to a file is a link: what it leads to is elsewhere. */
export function linkedFolderRefused(path: string): FileError {
  return new FileError(`${path} is a symbolic link and is not written through.`, path, {
    code: "symlink-refused",
    hint: "Replace the link by a folder of the project itself.",
  });
}

/** Refuses what is not a regular file: a link, a folder, a device or a pipe. */
export function refuseSpecialFile(path: string, stats: Pick<Stats, "isFile" | "isSymbolicLink">): void {
  if (stats.isSymbolicLink()) throw symlinkRefused(path);
  if (stats.isFile()) return;
  throw new FileError(`${path} is not a regular file.`, path, {
    code: "not-a-file",
    hint: "Move away what is there.",
  });
}

/** Node has no name for this error and gives only its number. */
function isOverQuota(cause: unknown): boolean {
  return cause instanceof Error && "errno" in cause && cause.errno === -constants.errno.EDQUOT;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
