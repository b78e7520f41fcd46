import { stat, statfs } from "node:fs/promises";
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { makeFolder, toFolderError } from "../home-folder.ts";

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
  throw new AppError(`${folder} is on a network file system, where a store would not be safe.`, {
    kind: "config",
    code: "store-on-network",
    hint: "Set CARRYON_HOME to a folder on a local disk; to share sessions between machines, use PostgreSQL.",
  });
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
