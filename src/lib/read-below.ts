import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isSystemError, unlessGone } from "./app-error.ts";
import { linkedFolderRefused, readFailed, refuseSpecialFile, symlinkRefused } from "./file-error.ts";

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

/** Throws when a path, or a folder between it and the root, is a symbolic link: what it leads to is not the project's. */
export async function refuseLinks(root: string, path: string): Promise<void> {
  const link = await findLink(root, path);
  if (link === path) throw symlinkRefused(link);
  if (link !== undefined) throw linkedFolderRefused(link);
}

/** Returns the first symbolic link between a root and a path, the path among them; undefined when there is none. */
export async function findLink(root: string, path: string): Promise<string | undefined> {
  let part = root;
  for (const name of relative(root, path).split(sep)) {
    part = join(part, name);
    const stats = await unlessGone(lstat(part));
    if (stats?.isSymbolicLink() === true) return part;
  }
  return undefined;
}
