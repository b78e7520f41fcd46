import { hash } from "node:crypto";
import type { EntryId, Strand } from "./ids.ts";

/** What a link of the chain covers besides the link before it. */
export interface Link {
  readonly id: EntryId;
  readonly parent: EntryId | null;
  readonly strand: Strand;
  readonly kind: string;
  readonly atMs: number;
  /** SHA-256 of the body's JSON text, in hex. */
  readonly bodyHash: string;
}

/** What the first entry of a session is chained to. */
export const chainStart = "0".repeat(64);

/** Returns the SHA-256 of a text in UTF-8, in hex. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** Returns the hash of an entry, in hex: docs/formats/chain.md says how anyone can recompute it. */
export function chainHash(before: string, link: Link): string {
  return sha256(
    JSON.stringify([before, link.id, link.parent, link.strand, link.kind, link.atMs, link.bodyHash]),
  );
}
