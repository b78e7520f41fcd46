import { createHmac, type KeyObject } from "node:crypto";
import { markerOpening } from "../lib/marker.ts";

/**
 * Returns what stands for a secret: its kind, and a keyed hash by which it is recognised again but cannot be guessed.
 */
export function renderMarker(key: KeyObject, kind: string, secret: string): string {
  const mac = createHmac("sha256", key).update(secret).digest("hex").slice(0, 8);
  return `${markerOpening}${kind}:${mac}]`;
}
