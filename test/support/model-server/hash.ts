import { createHash } from "node:crypto";

/** Returns 24 characters that stand for a text, as ids are made of. */
export function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}
