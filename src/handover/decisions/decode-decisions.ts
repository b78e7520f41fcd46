import { unreadable } from "../../lib/markdown/read-document.ts";

/**
 * Returns the text of decisions.md, or of its end from the beginning of a line on. Throws when it is none.
 *
 * Half a character at the end is left out: a writer that lost its power may have left it.
 */
export function decodeDecisions(path: string, bytes: Uint8Array): string {
  try {
    if (bytes.includes(0)) throw new TypeError("NUL");
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch (cause) {
    throw unreadable(path, "it is binary, or not UTF-8", cause);
  }
}
