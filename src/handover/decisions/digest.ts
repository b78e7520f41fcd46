import { createHash, type Hash, hash } from "node:crypto";
import { toUnixLines } from "../../lib/markdown/split-lines.ts";
import { sha256 } from "../../sessions/chain.ts";

/** Returns the hash of an entry's lines; how they end does not count, because git may change that. */
export function digestOf(raw: string): string {
  return sha256(toUnixLines(raw));
}

/** Returns the hash of some bytes. */
export function digestOfBytes(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** Returns the link of a chain that covers the link before it and some bytes. */
export function linkOf(before: string, bytes: Uint8Array): string {
  return digestOfBytes(Buffer.concat([Buffer.from(before), bytes]));
}

/** Begins the next link of a chain: it covers the link before it, and the bytes that are added to it. */
export function beginLink(before: string): Hash {
  return createHash("sha256").update(before);
}
