import { createHash } from "node:crypto";
import { lstat, readFile, readlink } from "node:fs/promises";
import { isSystemError } from "../../lib/app-error.ts";
import { type GitPath, locateFile } from "../git-path.ts";

/** What the work tree has of a path. */
export type Content =
  | { readonly type: "gone" | "unreadable" | "not-a-file" }
  | { readonly type: "too-big"; readonly size: number }
  | { readonly type: "bytes"; readonly bytes: Buffer };

/** Larger files do not belong into a checkpoint. */
const largestFile = 5 * 1024 * 1024;

/** Reads a file, or where a link leads to: that is what git keeps of it. */
export async function readContent(root: string, path: GitPath): Promise<Content> {
  const file = locateFile(root, path);
  try {
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) return { type: "bytes", bytes: await readlink(file, { encoding: "buffer" }) };
    if (stats.isDirectory()) return { type: "gone" };
    if (!stats.isFile()) return { type: "not-a-file" };
    if (stats.size > largestFile) return { type: "too-big", size: stats.size };
    return { type: "bytes", bytes: await readFile(file) };
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
