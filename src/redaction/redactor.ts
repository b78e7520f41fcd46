import { createHmac, type KeyObject } from "node:crypto";
import { markerOpening } from "../lib/marker.ts";
import { findSecrets } from "./find-secrets.ts";
import { hideRanges } from "./hide-secrets.ts";
import { type JsonRedaction, redactValue } from "./redact-json.ts";

/**
 * Returns what stands for a secret: its kind, and a keyed hash by which it is recognised again but cannot be guessed.
 */
export function renderMarker(key: KeyObject, kind: string, secret: string): string {
  const mac = createHmac("sha256", key).update(secret).digest("hex").slice(0, 8);
  return `${markerOpening}${kind}:${mac}]`;
}

/** Replaces secrets by markers. */
export interface Redactor {
  /**
   * Returns the text with a marker `[redacted:<kind>:<8 hex digits>]` for each secret, or the same text if it has none.
   *
   * Redacting twice is redacting once. The cost is linear.
   */
  readonly redactText: (text: string) => string;
  /**
   * Redacts every string of a decoded value on its own, keys too; the value of a key that names a secret is one.
   *
   * Returns the same object when nothing changed, and shares with it the parts that did not.
   */
  readonly redactJson: <Value>(value: Value, options?: JsonRedaction) => Value;
}

/** Makes a redactor whose markers are hashes under a key: one secret has the same marker everywhere. */
export function makeRedactor(key: KeyObject): Redactor {
  const mark = (kind: string, secret: string): string => renderMarker(key, kind, secret);
  const redactText = (text: string): string => hideRanges(text, findSecrets(text), mark);
  return {
    redactText,
    redactJson: (value, options = {}) => redactValue({ redactText, mark }, value, options),
  };
}
