import { existsSync, renameSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { toFolderError } from "../home-folder.ts";
import { StoreIsGone } from "../store-errors.ts";
import { isNotADatabase } from "./sqlite-errors.ts";

/** What tells a file from every other one that exists, whatever its name is: no number is given again while it is open. */
interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** A file, and what a change of its content changes. */
interface FileState extends FileIdentity {
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/** Returns the file that a name leads to; undefined when it leads to none. Costs one system call. */
export function readFileState(path: string): FileState | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw toFolderError(error, path);
  }
}

export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** Tells whether nobody has written to a file since. A database in WAL mode is written only by a checkpoint. */
function isUnwritten(one: FileState, other: FileState): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs;
}

/** The smallest page of SQLite: a database has at least one. */
const smallestPage = 512n;

/**
 * Tells whether a file still begins as a database does.
 *
 * SQLite itself reads it, as a file that nobody changes: a file that we open and close would take away the locks that
 * its connections in this process have. While another process makes a checkpoint, the file may be shorter than it says;
 * only a beginning that no database has is counted.
 */
function isStillDatabase(path: string, { size }: FileState): boolean {
  if (size < smallestPage) return false;
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  try {
    const db = new DatabaseSync(url, { readOnly: true });
    try {
      db.exec("PRAGMA schema_version");
    } finally {
      db.close();
    }
    return true;
  } catch (error) {
    return !isNotADatabase(error);
  }
}

/** The file that a connection has open: what is written is acknowledged only while its path leads to it. */
export class WatchedFile {
  readonly #path: string;
  readonly #file: FileIdentity;
  #gone: StoreIsGone | undefined;
  /** The file as it was when its beginning was last looked at. */
  #lookedAt: FileState | undefined;

  constructor(path: string, file: FileIdentity) {
    this.#path = path;
    this.#file = file;
  }

  /** What became of the file, once that was found. */
  get gone(): StoreIsGone | undefined {
    return this.#gone;
  }

  /** Tells whether the path leads to another file now. */
  isReplaced(): boolean {
    const now = readFileState(this.#path);
    return now !== undefined && !isSameFile(this.#file, now);
  }

  /**
   * Makes sure that whoever opens the store next gets what is written here: SQLite goes on writing to a file that was
   * deleted, renamed, emptied or overwritten, as if nothing had happened.
   *
   * Before a write it keeps our pages out of the WAL of another file. After it, it says that the file had its name when
   * the write was on disk already; that it loses it a moment later is nothing that a check could see.
   */
  requireInPlace(): void {
    this.#gone ??= this.#findLoss();
    if (this.#gone !== undefined) throw this.#gone;
  }

  /** Costs one system call, and a look at the beginning of the file after each checkpoint. */
  #findLoss(): StoreIsGone | undefined {
    const now = readFileState(this.#path);
    if (now === undefined) return new StoreIsGone(this.#path, "deleted");
    if (!isSameFile(this.#file, now)) return new StoreIsGone(this.#path, "replaced");
    if (this.#lookedAt !== undefined && isUnwritten(this.#lookedAt, now)) return undefined;
    if (!isStillDatabase(this.#path, now)) return new StoreIsGone(this.#path, "overwritten");
    this.#lookedAt = now;
    return undefined;
  }

  /**
   * Closes a connection to the file. SQLite moves the WAL to it then, unless it has lost its name: a file that was
   * overwritten loses it for a moment, because it would become a mixture, and the WAL has what was acknowledged last.
   */
  close(connection: { close(): void }): void {
    const away = `${this.#path}.overwritten-${process.pid}`;
    const isAway = this.#isOverwritten() && tryToRename(this.#path, away);
    try {
      connection.close();
    } finally {
      if (isAway && !existsSync(this.#path)) tryToRename(away, this.#path);
    }
  }

  #isOverwritten(): boolean {
    try {
      this.requireInPlace();
      return false;
    } catch (error) {
      return error instanceof StoreIsGone && error.how === "overwritten";
    }
  }
}

function tryToRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    // In a folder that cannot be written the file keeps its name.
    return false;
  }
}
