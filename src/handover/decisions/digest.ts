import { createHash, type Hash } from "node:crypto";
import { toUnixLines } from "../markdown/split-lines.ts";

/** Returns the hash of an entry's lines; how they end does not count, because git may change that. */
export function digestOf(raw: string): string {
  return createHash("sha256").update(toUnixLines(raw)).digest("hex");
}

/** Returns the hash of some bytes. */
export function digestOfBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Begins the next link of a chain: it covers the link before it, and the bytes that are added to it. */
export function beginLink(before: string): Hash {
  return createHash("sha256").update(before);
}
