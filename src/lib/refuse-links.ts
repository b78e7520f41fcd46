import { lstat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { linkedFolderRefused, symlinkRefused } from "./file-error.ts";
import { unlessGone } from "./unless-gone.ts";

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
