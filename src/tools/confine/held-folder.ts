import { constants, existsSync } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../../lib/app-error.ts";
import { userUmask } from "../../lib/user-umask.ts";
import { ToolRefused } from "../tool.ts";

/** A folder that is held while something is done in it, so that a link put in its place leads nobody astray. */
export interface HeldFolder {
  /** The path by which what is in it is reached. It is for the system alone. */
  readonly path: string;
  /** Throws if what was reached may have been elsewhere. Where the system can hold a folder, it never was. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** How folders are held: by a descriptor, through which Linux reaches what is in one, or by comparing before and after. */
export type Hold = "descriptor" | "comparison";

export interface OpenFolderOptions {
  /** Makes folders that are not there. */
  readonly makeMissing?: boolean;
  readonly hold?: Hold;
}

/** Opens the folder that is reached from another by names alone: a link on the way is refused. */
async function openFolder(
  root: string,
  names: readonly string[],
  { makeMissing = false, hold = usualHold() }: OpenFolderOptions = {},
): Promise<HeldFolder> {
  const open = hold === "descriptor" ? openByDescriptor : openByComparison;
  let folder = await refusingLinks(open(root));
  for (const name of names) {
    const outer = folder;
    try {
      if (makeMissing) await makeFolder(join(outer.path, name));
      folder = await refusingLinks(open(join(outer.path, name), outer));
    } finally {
      await outer.close();
    }
  }
  return folder;
}

/** Runs work in a folder that is opened for it alone. */
export async function inFolder<Result>(
  root: string,
  names: readonly string[],
  options: OpenFolderOptions,
  work: (folder: HeldFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await openFolder(root, names, options);
  try {
    const result = await work(folder);
    await folder.verify();
    return result;
  } finally {
    await folder.close();
  }
}

let isThroughDescriptors: boolean | undefined;

function usualHold(): Hold {
  isThroughDescriptors ??= process.platform === "linux" && existsSync("/proc/self/fd");
  return isThroughDescriptors ? "descriptor" : "comparison";
}

async function openByDescriptor(path: string): Promise<HeldFolder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return { path: `/proc/self/fd/${handle.fd}`, verify: async () => undefined, close: () => handle.close() };
}

async function openByComparison(path: string, outer?: HeldFolder): Promise<HeldFolder> {
  const before = await lstatFolder(path);
  return {
    path,
    verify: async () => {
      await outer?.verify();
      const after = await refusingLinks(lstatFolder(path));
      if (before.ino !== after.ino || before.dev !== after.dev) throw changedMeanwhile();
    },
    close: async () => undefined,
  };
}

async function lstatFolder(path: string) {
  const stats = await lstat(path, { bigint: true });
  if (!stats.isDirectory()) throw changedMeanwhile();
  return stats;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
    // What a tool makes is the user's, and our own mask lets nobody else in.
    await chmod(path, 0o777 & ~userUmask());
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
  }
}

/** The path was followed before: a link, or anything but a folder, has come since. */
async function refusingLinks<Result>(opened: Promise<Result>): Promise<Result> {
  try {
    return await opened;
  } catch (error) {
    throw isSystemError(error, "ELOOP", "ENOTDIR", "EMLINK") ? changedMeanwhile(error) : error;
  }
}

function changedMeanwhile(cause?: unknown): ToolRefused {
  return new ToolRefused(
    "Something on the way is no folder, or was replaced in the meantime. Look again.",
    cause,
  );
}

/** Opens a regular file in a folder for reading; a link, a device or a pipe is refused, and none is waited for. */
export async function openFileIn(folder: HeldFolder, name: string): Promise<FileHandle> {
  const handle = await openIn(folder, name);
  try {
    if ((await handle.stat()).isFile()) return handle;
    throw new ToolRefused(`${name} is not a regular file.`);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens whatever has a name in a folder, and is no link. */
export async function openIn(folder: HeldFolder, name: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const handle = await refusingLinks(open(join(folder.path, name), flags));
  try {
    await folder.verify();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
