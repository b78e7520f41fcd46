import { findSecrets } from "./find-secrets.ts";
import { hideRanges } from "./hide-ranges.ts";

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
