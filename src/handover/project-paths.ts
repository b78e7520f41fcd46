import { relative, resolve } from "node:path";

/** Returns paths that are given from a folder as they are from the top of the project. */
export function toProjectPaths(cwd: string, root: string, files: readonly string[]): readonly string[] {
  return files.map((file) => relative(root, resolve(cwd, file)));
}
