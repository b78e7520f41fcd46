import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AppError, configError, isSystemError } from "../../lib/app-error.ts";
import { sweepStrays, syncFolder, writeFileAtomically } from "../../lib/atomic-file.ts";
import type { Clock } from "../../lib/clock.ts";
import { FileError, writeFailed } from "../../lib/file-error.ts";
import { acquireLock } from "../../lib/file-lock.ts";
import { keepAside, moveAside } from "../../lib/set-aside.ts";
import type { FoundFile } from "./file-content.ts";
import { describeNewer, newerRemedy, refuseLinkedFolders } from "./problem.ts";

/** Where a file is changed. */
export interface ChangePlace {
  readonly folder: string;
  /** The folders that are ours, the outer ones first: where one is a link, nothing is changed. */
  readonly own?: readonly string[];
  /** What the lock is on: one for all files that may get in each other's way. */
  readonly lock: string;
  readonly clock: Clock;
  /** How many milliseconds to wait for others: 10,000, unless told. */
  readonly wait?: number;
}

/** What is to become of a file. */
export interface FileEdit<Result> {
  /** The new content; absent when nothing changes. */
  readonly text?: string;
  /** Whether parts of the old content are not in the new one, so that the old one is to be kept. */
  readonly isLossy: boolean;
  readonly result: Result;
}

/**
 * Changes a file while nobody else of us does, from the reading to the renaming. What cannot be read is moved aside;
 * what a newer version wrote is left as it is, and the change is refused.
 *
 * Removes what killed writers have left, and leaves nothing itself.
 */
export async function changeFile<Result>(
  place: ChangePlace,
  find: () => FoundFile,
  edit: (found: FoundFile) => FileEdit<Result> | Promise<FileEdit<Result>>,
): Promise<FileEdit<Result> & { readonly found: FoundFile }> {
  const lockPath = join(place.folder, place.lock);
  try {
    refuseLinkedFolders(place.own ?? []);
    await makeFolder(place.folder);
    const lock = await acquireLock(lockPath, { wait: place.wait ?? 10_000, leave: "nothing" });
    try {
      await sweepStrays(place.folder);
      const found = find();
      if (found.content.type === "newer") throw newer(found.path, describeNewer(found.content.value));
      const edited = await edit(found);
      if (edited.text !== undefined) await replace(found, edited.text, edited.isLossy, place.clock.now());
      return { ...edited, found };
    } finally {
      await lock.release();
    }
  } catch (error) {
    // What is no failure of the system is a bug, of ours or of the edit.
    throw isFailure(error) ? writeFailed(place.folder, error) : error;
  }
}

async function replace(
  { path, content }: FoundFile,
  text: string,
  isLossy: boolean,
  now: Date,
): Promise<void> {
  if (content.type === "broken") await moveAside(path, now);
  else if (isLossy) await keepAside(path, now);
  await writeFileAtomically(path, text, { mode: 0o600 });
}

/** Makes a folder for its owner alone, so that it outlives a power cut like the file in it. */
async function makeFolder(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    for (let part = folder; part.length >= made.length; part = dirname(part)) await syncFolder(dirname(part));
  } catch (error) {
    if (!isSystemError(error, "EEXIST", "ENOTDIR")) throw error;
    throw new FileError(`${folder} is no folder.`, folder, {
      code: "not-a-folder",
      hint: "Move away what is there.",
      cause: error,
    });
  }
}

function isFailure(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function newer(path: string, problem: string): AppError {
  return configError("newer-state", `${path} ${problem}.`, { hint: newerRemedy });
}
