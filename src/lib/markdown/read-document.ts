import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isSystemError } from "../app-error.ts";
import { FileError, readFailed, refuseSpecialFile, symlinkRefused } from "../file-error.ts";
import { refuseLinks } from "../refuse-links.ts";
import { decodeDocument } from "./decode-document.ts";

/** Bytes; a document of the most characters has at most this many. */
const largest = 1 << 20;

/** Returns the bytes of a document, or undefined if there is none. A symbolic link on the way to it is refused. */
export async function readBytes(root: string, path: string): Promise<Uint8Array | undefined> {
  try {
    await refuseLinks(root, path);
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      refuseSpecialFile(path, stats);
      if (stats.size > largest) throw unreadable(path, `it has ${stats.size} bytes`);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return undefined;
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : readFailed(path, error);
  }
}

/** Returns the text of a document, or undefined if there is none. Throws when its bytes cannot be read as one. */
export async function readDocument(root: string, path: string): Promise<string | undefined> {
  const bytes = await readBytes(root, path);
  if (bytes === undefined) return undefined;
  const decoded = decodeDocument(bytes);
  if (decoded.type === "text") return decoded.text;
  throw unreadable(path, decoded.reason);
}

/** Says that what a file holds is no document. */
export function unreadable(path: string, reason: string, cause?: unknown): FileError {
  return new FileError(`${path} cannot be read as a document: ${reason}.`, path, {
    code: "document-unreadable",
    hint: "Move it away, or repair it; it was left as it is.",
    cause,
  });
}
