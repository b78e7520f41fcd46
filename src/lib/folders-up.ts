import { dirname } from "node:path";

/** Returns a folder and those around it, up to the one that is named, or to the top. */
export function foldersUp(from: string, to?: string): readonly string[] {
  return from === to || dirname(from) === from ? [from] : [from, ...foldersUp(dirname(from), to)];
}
