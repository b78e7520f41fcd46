import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isSystemError } from "./app-error.ts";
import { readFailed, refuseSpecialFile, symlinkRefused } from "./file-error.ts";
import { refuseLinks } from "./refuse-links.ts";

/** What was read: the bytes of a file, that there is none, or that it is larger than the reader wants. */
export type ReadFile =
  | { readonly type: "bytes"; readonly bytes: Buffer }
  | { readonly type: "none" }
  | { readonly type: "too-large"; readonly size: number };

/** Reads a regular file below a root, of so many bytes at most. A symbolic link on the way to it is refused. */
export async function readBelow(root: string, path: string, largest: number): Promise<ReadFile> {
  try {
    await refuseLinks(root, path);
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      refuseSpecialFile(path, stats);
      if (stats.size > largest) return { type: "too-large", size: stats.size };
      return { type: "bytes", bytes: await handle.readFile() };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return { type: "none" };
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : readFailed(path, error);
  }
}
