import { open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { configError, ioError, isSystemError, unlessFailed } from "../lib/app-error.ts";
import { syncFolder } from "../lib/atomic-file.ts";
import { writeFailed } from "../lib/file-error.ts";
import { makeTempPath } from "../lib/temp-files.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import { nameFile } from "./name-file.ts";

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
