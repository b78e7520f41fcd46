import { createHmac, type KeyObject } from "node:crypto";

/** What every marker begins with; a text without it holds none. */
const opening = "[redacted:";
const anyMarker = /\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{8}\]/g;

/**
 * Returns what stands for a secret: its kind, and a keyed hash by which it is recognised again but cannot be guessed.
 */
export function renderMarker(key: KeyObject, kind: string, secret: string): string {
  const mac = createHmac("sha256", key).update(secret).digest("hex").slice(0, 8);
  return `${opening}${kind}:${mac}]`;
}

/** A stretch of a text, from its first character to the one behind its last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns where the markers of a text are, in order. */
export function findMarkers(text: string): readonly Range[] {
  if (!text.includes(opening)) return [];
  return Array.from(text.matchAll(anyMarker), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
  }));
}
