import type { HitKind } from "../../sessions/search-index.ts";

/** Marks stand among the terms of a document, say what it is, and begin with characters that no text has in its terms. */
export const kindMark = (kind: HitKind): string => `\uE001${kind}`;
export const sessionMark = (sessionKey: number): string => `\uE002${sessionKey}`;
export const [firstMark, lastMark] = ["\uE001", "\uE003"];
/** Of a document that is one of several of the same entry. */
export const partMark = "\uE003";

export const allKinds: readonly HitKind[] = [
  ...(["user", "title", "assistant", "summary", "tool", "event", "round", "other"] as const),
];
