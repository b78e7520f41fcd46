import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { type GitPath, locateFile } from "../../git/git-path.ts";
import { isSystemError } from "../../lib/app-error.ts";

/** What the work tree has of a path. */
export type Content =
  | { readonly type: "gone" | "unreadable" | "not-a-file" }
  | { readonly type: "too-big"; readonly size: number }
  | { readonly type: "bytes"; readonly bytes: Buffer };

/** Larger files do not belong into a checkpoint. */
export const largestFile = 5 * 1024 * 1024;

/**
 * Reads a file, or where a link leads to: that is what git keeps of it.
 *
 * Waits for the disk: there may be a hundred thousand of them, and a promise costs several times what it reads.
 */
export function readContent(root: string, path: GitPath): Content {
  const file = locateFile(root, path);
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return { type: "bytes", bytes: readlinkSync(file, { encoding: "buffer" }) };
    if (stats.isDirectory()) return { type: "gone" };
    if (!stats.isFile()) return { type: "not-a-file" };
    if (stats.size > largestFile) return { type: "too-big", size: stats.size };
    return { type: "bytes", bytes: readFileSync(file) };
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return { type: "gone" };
    if (isSystemError(error, "EACCES", "EPERM")) return { type: "unreadable" };
    throw error;
  }
}

/** Returns the hash of what was read; null where nothing was. */
export function hashContent(content: Content): string | null {
  return content.type === "bytes" ? createHash("sha256").update(content.bytes).digest("hex") : null;
}
