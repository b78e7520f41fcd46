import { createSecretKey, type KeyObject } from "node:crypto";
import { AppError } from "../../lib/app-error.ts";
import { renderMarker } from "../../redaction/redactor.ts";
import type { TextPattern } from "../../redaction/text-pattern.ts";
import { scrubBody } from "../../sessions/scrub-body.ts";
import type { StoredBody } from "./read-bodies.ts";

/** Replaces what a pattern finds in a text. */
export type Scrub = (text: string) => string;

/** Makes the replacement of a pattern by markers under the key of a home folder. */
export function makeScrub(pattern: TextPattern, key: Uint8Array): Scrub {
  const secretKey: KeyObject = createSecretKey(key);
  return (text) => pattern.replace(text, (match) => renderMarker(secretKey, "scrubbed", match));
}

/** What a body says, before and after; or that it does not hold the pattern, or cannot be read. */
export type ScrubbedText = { readonly before: string; readonly after: string } | "unchanged" | "unreadable";

/** Replaces what a pattern finds in the strings of a body. */
export function scrubText(body: StoredBody, pattern: TextPattern, scrub: Scrub): ScrubbedText {
  try {
    const before = body.readText();
    if (before === undefined) return "unreadable";
    if (!pattern.mayBeIn(before)) return "unchanged";
    const value: unknown = JSON.parse(before);
    if (typeof value !== "object" || value === null) return "unreadable";
    const scrubbed = scrubBody(value as Readonly<Record<string, unknown>>, scrub);
    return scrubbed === value ? "unchanged" : { before, after: JSON.stringify(scrubbed) };
  } catch (error) {
    if (isDamage(error)) return "unreadable";
    throw error;
  }
}

/** What is thrown for bytes that are no compressed text, and for text that is no JSON. */
function isDamage(error: unknown): boolean {
  if (error instanceof AppError) return false;
  return error instanceof SyntaxError || (error instanceof Error && "code" in error);
}
