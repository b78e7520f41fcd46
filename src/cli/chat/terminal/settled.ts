import { Marked, type Token } from "@earendil-works/pi-tui";

const parser = new Marked();

function parse(text: string): readonly Token[] {
  try {
    return parser.lexer(text);
  } catch {
    // What the parser fails on is settled when all of it is there.
    return [];
  }
}

/**
 * Returns how many characters at the beginning of a reply will look the same whatever follows.
 *
 * A paragraph may become a heading by its next line, a list goes on after an empty one: only what stands before a block
 * that has begun, and an empty line before that, is settled.
 */
export function countSettled(text: string): number {
  const tokens = text.includes("\n\n") ? parse(text) : [];
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  const blank = tokens.findLastIndex(({ type }, index) => type === "space" && index < last);
  if (blank === -1) return 0;
  const settled = tokens.slice(0, blank + 1).map(({ raw }) => raw);
  const count = settled.reduce((sum, raw) => sum + raw.length, 0);
  // What the parser leaves out of its tokens would be lost.
  return text.startsWith(settled.join("")) ? count : 0;
}
