import { compileNeededText, compileSimplePattern } from "./simple-pattern.ts";

/** The engine for all patterns: `re2-pattern.ts`, which a hook loads only when it needs it. */
export interface PatternEngine {
  readonly compileRe2Pattern: (pattern: string) => (text: string) => boolean;
}

/** A pattern of a trigger. */
export interface Pattern {
  /** Tells whether it is found anywhere in a text, whatever the case of its letters. Linear in the text. */
  finds(text: string): boolean;
}

/**
 * Makes a pattern ready to be looked for. The engine is loaded at the first text in which only it can tell; what it throws
 * at a pattern that it does not know is thrown then. A configuration has no such patterns.
 */
export function compilePattern(pattern: string, loadEngine: () => PatternEngine): Pattern {
  const simple = compileSimplePattern(pattern);
  if (simple !== undefined) return { finds: simple };
  const mayFind = compileNeededText(pattern);
  let find: ((text: string) => boolean) | undefined;
  return {
    finds: (text) => {
      if (!mayFind(text)) return false;
      find ??= loadEngine().compileRe2Pattern(pattern);
      return find(text);
    },
  };
}
