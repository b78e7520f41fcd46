import { findSecrets } from "./find-secrets.ts";
import type { Finding } from "./rule.ts";

/** How much of a secret that is cut off counts as one. */
const shortestBeginning = 8;

/**
 * Returns a text for people without the secrets in it: `[redacted:<kind>]`, without a hash, since no key is at hand.
 *
 * Messages cut what they quote, so that of a known secret the beginning is enough.
 */
export function hideSecrets(text: string, known: readonly string[] = []): string {
  // To prepare the rules takes a while, and much of what is said in passing is nothing.
  if (text === "") return text;
  const hidden = hideRanges(text, findSecrets(text), (kind) => `[redacted:${kind}]`);
  return known.reduce(hideBeginnings, hidden);
}

/** Returns the secrets of some texts. */
export function listSecrets(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => findSecrets(text).map(({ start, end }) => text.slice(start, end)));
}

function hideBeginnings(text: string, secret: string): string {
  const beginning = secret.slice(0, shortestBeginning);
  const [first = "", ...rest] = text.split(beginning);
  return (
    first +
    rest
      .map((after) => `[redacted]${after.slice(sharedLength(after, secret.slice(shortestBeginning)))}`)
      .join("")
  );
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Returns a text with something else in the place of each secret; these are in order and do not overlap. */
export function hideRanges(
  text: string,
  findings: readonly Finding[],
  mark: (kind: string, secret: string) => string,
): string {
  if (findings.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, kind } of findings) {
    parts.push(text.slice(from, start), mark(kind, text.slice(start, end)));
    from = end;
  }
  return parts.join("") + text.slice(from);
}
