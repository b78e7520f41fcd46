import { FileError } from "../file-error.ts";
import { readBelow } from "../read-below.ts";
import { decodeDocument } from "./decode-document.ts";

/** Bytes; a document of the most characters has at most this many. */
const largest = 1 << 20;

/** Returns the bytes of a document, or undefined if there is none. A symbolic link on the way to it is refused. */
export async function readBytes(root: string, path: string): Promise<Uint8Array | undefined> {
  const found = await readBelow(root, path, largest);
  if (found.type === "too-large") throw unreadable(path, `it has ${found.size} bytes`);
  return found.type === "none" ? undefined : found.bytes;
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
