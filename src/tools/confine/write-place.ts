import type { Stats } from "node:fs";
import { lchown, lstat } from "node:fs/promises";
import { join } from "node:path";
import { AppError, isSystemError, unlessGone } from "../../lib/app-error.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { userUmask } from "../../lib/user-umask.ts";
import { ToolRefused, type ToolSurroundings } from "../tool.ts";
import { type HeldFolder, type Hold, inFolder } from "./held-folder.ts";
import type { FilePlace } from "./place.ts";

export interface WriteOptions {
  /** The file as it was read; undefined where there was none. What has changed since is not overwritten. */
  readonly before: Stats | undefined;
  readonly hold?: Hold;
}

/** Replaces a file, or makes it and the folders on the way: readers see all of the old or all of the new. */
export async function writePlace(
  place: FilePlace,
  text: string,
  { folder, signal }: Pick<ToolSurroundings, "folder" | "signal">,
  { before, ...hold }: WriteOptions,
): Promise<void> {
  await inFolder(folder, place.folders, { makeMissing: true, ...hold }, async (held) => {
    const path = join(held.path, place.name);
    requireSame(place, before, await unlessGone(lstat(path)));
    await held.verify();
    signal.throwIfAborted();
    try {
      await writeFileAtomically(path, text, { mode: 0o666 & ~userUmask() });
      if (before !== undefined) await keepOwner(path, before);
    } catch (error) {
      throw error instanceof AppError ? withShownPath(error, place, held) : error;
    }
  });
}

function requireSame({ shown }: FilePlace, before: Stats | undefined, now: Stats | undefined): void {
  if (before?.ino === now?.ino && before?.mtimeMs === now?.mtimeMs && before?.size === now?.size) return;
  throw new ToolRefused(`${shown} was changed by somebody else in the meantime. Read it again.`);
}

/** A file that root changes stays that of its owner. Nobody else may give files away, and theirs are their own. */
async function keepOwner(path: string, { uid, gid }: Stats): Promise<void> {
  const now = await lstat(path);
  if (now.uid === uid && now.gid === gid) return;
  try {
    await lchown(path, uid, gid);
  } catch (error) {
    if (!isSystemError(error, "EPERM")) throw error;
  }
}

/** What a file is written through is no path that a model knows. */
function withShownPath(error: AppError, { shown, name }: FilePlace, held: HeldFolder): AppError {
  const message = error.message.replaceAll(join(held.path, name), shown);
  return new AppError(message, { kind: error.kind, code: error.code, hint: error.hint, cause: error });
}
