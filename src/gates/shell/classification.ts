export type Verdict = "reads" | "writes" | "unknown";

/** Whether a command writes files, and the part of it that decides this. */
export interface Classification {
  readonly verdict: Verdict;
  /** One short sentence. */
  readonly why: string;
}

export const reads = (why: string): Classification => ({ verdict: "reads", why });
export const writes = (why: string): Classification => ({ verdict: "writes", why });
export const unknown = (why: string): Classification => ({ verdict: "unknown", why });

/** The answer for what runs nothing. */
export const nothing: Classification = reads("Nothing in it writes a file.");

const ranks: Readonly<Record<Verdict, number>> = { reads: 0, unknown: 1, writes: 2 };

/** Returns the worst of several answers, and of equal ones the first that says something. */
export function worst(...parts: readonly Classification[]): Classification {
  let found = nothing;
  for (const part of parts) if (ranks[part.verdict] > ranks[found.verdict] || found === nothing) found = part;
  return found;
}

const longestQuote = 60;

/** Returns a piece of a command as it stands in a sentence. */
export function quote(piece: string): string {
  const text = piece.length > longestQuote ? `${piece.slice(0, longestQuote)}…` : piece;
  return `\`${text}\``;
}
