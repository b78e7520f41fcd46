import { lstat, mkdir, open, readFile, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError, configError, ioError, isSystemError, unlessFailed } from "../lib/app-error.ts";
import { makeTempPath, syncFolder } from "../lib/atomic-file.ts";
import { writeFailed } from "../lib/file-error.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import { nameFile } from "./name-file.ts";
import { StoreIsFull, storeFailed, storeIsForeign, storeIsReadOnly } from "./store-errors.ts";

/** Makes a folder (0700) where there is none, and refuses one of another user. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    const made = await makeWithParents(folder);
    if (made !== undefined) await syncFolder(dirname(made));
    await refuseForeign(folder);
  } catch (error) {
    throw toFolderError(error, folder);
  }
}

/**
 * Makes a folder and those above it that are missing; returns the uppermost that was made.
 *
 * Not `recursive`: in a place that takes no folders, such as /proc, Node would try for ever.
 */
async function makeWithParents(folder: string): Promise<string | undefined> {
  if (await isFolder(folder)) return undefined;
  const parent = dirname(folder);
  const made = parent === folder ? undefined : await makeWithParents(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isSystemError(error, "EEXIST") || !(await isFolder(folder))) throw error;
  }
  return made ?? folder;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return false;
    throw error;
  }
}

/** Throws when a file or folder belongs to another user: what root writes there, its owner could not write any more. */
export async function refuseForeign(path: string): Promise<void> {
  const uid = process.getuid?.();
  if (uid !== undefined && (await stat(path)).uid !== uid) throw storeIsForeign(path);
}

/** Tells whether there is something at a path; a folder that may not be entered is an error, not an absence. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return false;
    throw toFolderError(error, path);
  }
}

/** Turns what the system says of a path into an error that says who has to act. */
export function toFolderError(error: unknown, path: string): unknown {
  if (error instanceof AppError || !(error instanceof Error && "syscall" in error)) return error;
  if (isSystemError(error, "EACCES", "EPERM", "EROFS")) return storeIsReadOnly(path, error);
  if (isSystemError(error, "ENOSPC", "EDQUOT", "EFBIG")) return new StoreIsFull(path, error);
  if (isSystemError(error, "EEXIST", "ENOTDIR"))
    return configError("home-not-a-folder", `The store cannot be in ${path}: there is a file in the way.`, {
      hint: "Set CARRYON_HOME to a folder, or to a path at which there is nothing yet.",
      cause: error,
    });
  return storeFailed(path, error.message, error);
}

/** File systems whose locks SQLite's WAL cannot rely on: NFS, SMB in its three forms. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** Makes a folder (0700) where there is none, and refuses one of another user or on another machine. */
export async function makeLocalFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  try {
    await refuseNetwork(folder);
  } catch (error) {
    throw toFolderError(error, folder);
  }
}

async function refuseNetwork(folder: string): Promise<void> {
  const { type } = await statfs(folder);
  if (!networkFileSystems.has(type)) return;
  throw configError(
    "store-on-network",
    `${folder} is on a network file system, where a store would not be safe.`,
    {
      hint: "Set CARRYON_HOME to a folder on a local disk; to share sessions between machines, use PostgreSQL.",
    },
  );
}

/** Returns the size of a file; 0 when there is none. */
export async function readSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return 0;
    throw error;
  }
}

const keyBytes = 32;

/** What to do about a key that cannot be used: where the store has sessions, no command makes another one by itself. */
const ifLost =
  "If it is lost, move the file aside and run `carryon doctor --new-key`: everything stays readable.";

/** Returns where the key of a home folder is. */
export function locateKey(home: string): string {
  return join(home, "key");
}

/** Returns the key of a home folder, made at the first call. Of processes that make it at once, all get the same. */
export async function readOrMakeKey(home: string): Promise<Uint8Array> {
  const path = locateKey(home);
  const known = await readKey(path);
  if (known !== undefined) return known;
  await makeKey(path).catch((error: unknown) => {
    throw writeFailed(path, error);
  });
  const made = await readKey(path);
  if (made !== undefined) return made;
  throw ioError("key-unreadable", `The key ${path} was removed.`);
}

/** Returns the key of a home folder, or zeros where it cannot be read: what is stored can be read without it. */
export async function readKeyOrNone(home: string): Promise<Uint8Array> {
  return (await unlessFailed(readKey(locateKey(home)), undefined)) ?? new Uint8Array(keyBytes);
}

/** Returns a key, or undefined when there is none. */
export async function readKey(path: string): Promise<Uint8Array | undefined> {
  try {
    const key = await readFile(path);
    if (key.length === keyBytes) return key;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw ioError("key-unreadable", `The key ${path} cannot be read.`, {
      hint: `Check who may read it. ${ifLost}`,
      cause: error,
    });
  }
  throw configError("key-damaged", `The key ${path} is damaged: it must be ${keyBytes} bytes long.`, {
    hint: `Put it back from a copy of the folder. ${ifLost}`,
  });
}

/** Writes a complete file before it gets its name, and leaves the key of a process that was first. */
async function makeKey(path: string): Promise<void> {
  const draft = await makeTempPath(path);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(systemRandom(keyBytes));
    await file.sync();
    await nameFile(draft, path);
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
}
