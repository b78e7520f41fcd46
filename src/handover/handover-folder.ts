import { lstat, mkdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import { sweepStrays, syncFolder } from "../lib/atomic-file.ts";
import { FileError, symlinkRefused, writeFailed } from "../lib/file-error.ts";
import { acquireLock, type LockOptions } from "../lib/file-lock.ts";
import { findLink } from "../lib/read-below.ts";

import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
/** Where the documents of a handover are, or will be. */
export interface HandoverPaths {
  readonly folder: string;
  readonly session: string;
  readonly decisions: string;
  readonly buffer: string;
  /** The folder of earlier session.md files. */
  readonly archive: string;
  /** The folder that notes are flushed to. */
  readonly knowledge: string;
}

/** The handover of a project, which nobody else changes until it is released or the process ends. */
export interface OpenHandover extends HandoverPaths, AsyncDisposable {
  readonly place: HandoverPlace;
  /** Gives the handover back. A second call does nothing. */
  release(): Promise<void>;
}

/** Returns the paths of the documents. Touches nothing. */
export function locateHandover({ root, sddDir }: HandoverPlace): HandoverPaths {
  const folder = join(root, sddDir, "handover");
  return {
    folder,
    session: join(folder, "session.md"),
    decisions: join(folder, "decisions.md"),
    buffer: join(folder, "buffer.md"),
    archive: join(folder, "sessions"),
    knowledge: join(root, sddDir, "project", "knowledge"),
  };
}

/**
 * Takes the right to change the handover of a project, and makes its folder. Waits while others have it.
 *
 * One lock is for all documents, because a change of one often goes with a change of another.
 */
export async function openHandover(place: HandoverPlace, options: LockOptions = {}): Promise<OpenHandover> {
  const paths = locateHandover(place);
  await ensureFolder(place.root, paths.folder);
  const lock = await acquireLock(join(paths.folder, "handover"), options);
  const release = () => lock.release();
  try {
    // What killed writers left would show in the repository.
    for (const folder of [paths.folder, paths.archive, paths.knowledge]) {
      // Behind a link are the files of others; whoever wants to write there is refused.
      if ((await findLink(place.root, folder)) === undefined) await sweepStrays(folder);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { place, ...paths, release, [Symbol.asyncDispose]: release };
}

/**
 * Makes a folder and those above it up to the root, durably. Refuses one that is a symbolic link: what is written
 * there would leave the project.
 */
export async function ensureFolder(root: string, folder: string): Promise<void> {
  const parts = relative(root, folder).split(sep);
  let path = root;
  for (const part of parts) {
    const parent = path;
    path = join(path, part);
    if (!(await isFolder(path))) await makeFolder(path, parent);
  }
}

async function makeFolder(path: string, parent: string): Promise<void> {
  try {
    await mkdir(path);
    await syncFolder(parent);
  } catch (error) {
    // Another process was faster.
    if (isSystemError(error, "EEXIST") && (await isFolder(path))) return;
    throw writeFailed(path, error);
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) throw symlinkRefused(path);
    if (stats.isDirectory()) return true;
    throw new FileError(`${path} is not a folder.`, path, {
      code: "not-a-folder",
      hint: "Move away what is there.",
    });
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return false;
    throw writeFailed(path, error);
  }
}
