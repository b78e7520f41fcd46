import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { unlessGone } from "./app-error.ts";
import { FileError, readFailed } from "./file-error.ts";

/**
 * Returns where a path below a root really is, or undefined if there is nothing. Links inside of the root are followed;
 * one that leads out of it is refused: what it leads to is not the project's.
 */
export async function resolveInside(root: string, ...parts: readonly string[]): Promise<string | undefined> {
  const path = join(root, ...parts);
  try {
    const [realRoot, found] = await Promise.all([realpath(root), unlessGone(realpath(path))]);
    if (found === undefined || isInside(realRoot, found)) return found;
  } catch (error) {
    throw readFailed(path, error);
  }
  throw new FileError(`${path} leads out of the project and is not read.`, path, {
    code: "symlink-refused",
    hint: "Put what it leads to in place of the link.",
  });
}

/** Tells whether a path is a folder or below it; both are taken as they are written. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
