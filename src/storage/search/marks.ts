import type { HitKind } from "../../sessions/search-index.ts";

/** Marks stand among the terms of a document, say what it is, and begin with characters that no text has in its terms. */
export const kindMark = (kind: HitKind): string => `\uE001${kind}`;
export const sessionMark = (sessionKey: number): string => `\uE002${sessionKey}`;
export const [firstMark, lastMark] = ["\uE001", "\uE003"];
/** Of a document that is one of several of the same entry. */
export const partMark = "\uE003";

/** What is worth most first: what people said themselves, what they were told, and what machines said. */
export const ranks: readonly (readonly HitKind[])[] = [
  ["user", "title"],
  ["assistant", "summary"],
  ["tool", "event", "round", "other"],
];

export const allKinds: readonly HitKind[] = ranks.flat();

/** Returns 3 for what is worth most, and 1 for what is worth least. */
export function weightOf(kind: HitKind): number {
  return ranks.length - ranks.findIndex((each) => each.includes(kind));
}
