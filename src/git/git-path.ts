import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import type { Brand } from "../lib/brand.ts";

/** A path from the top of a work tree as git has it: a character for each byte, since paths have no encoding. */
export type GitPath = Brand<string, "GitPath">;

/** Returns where a file is, in the bytes of its name. */
export function locateFile(root: string, path: GitPath): Buffer {
  return Buffer.concat([Buffer.from(join(root, "/")), Buffer.from(path, "latin1")]);
}

/** Returns a path as text; undefined for one that is not UTF-8. */
function toText(path: GitPath): string | undefined {
  const bytes = Buffer.from(path, "latin1");
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** Returns a path for people; bytes that are no UTF-8 are shown as `\xNN`. */
export function describePath(path: GitPath): string {
  return (
    toText(path) ??
    path.replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`)
  );
}

/** Returns a path that git gave, or that is plain text. */
export function toGitPath(text: string): GitPath {
  return Buffer.from(text).toString("latin1") as GitPath;
}
