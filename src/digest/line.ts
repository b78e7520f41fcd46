import type { Source } from "./digest.ts";

/** One line of a section, and the entries that it comes from. */
export interface Line {
  readonly text: string;
  readonly sources: readonly Source[];
  /** How much it matters beside the other lines of its section. */
  readonly worth: number;
}

/** Makes a line of a section. */
export function line(text: string, source: Source | readonly Source[], worth = 1): Line {
  const sources = Array.isArray(source) ? (source as readonly Source[]) : [source as Source];
  return { text, sources: sources.map(({ entry, seq, at }) => ({ entry, seq, at })), worth };
}
