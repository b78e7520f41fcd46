/** The prefixes of string literals, the backslashes of nested JSON, and a quote. */
const opening = /[rbfu@$]{0,2}(?<slashes>\\{0,7})(?<quote>["'\x60])/iy;

/** Where a value in quotes begins, and what closes it. */
export interface Quoting {
  readonly start: number;
  readonly slashes: number;
  readonly quote: string;
}

/** Reads the quote at a place, with the prefix of a string literal before it. */
export function readOpening(text: string, at: number): Quoting | undefined {
  opening.lastIndex = at;
  const groups = opening.exec(text)?.groups;
  if (groups === undefined) return undefined;
  return { start: opening.lastIndex, slashes: groups.slashes?.length ?? 0, quote: groups.quote ?? "" };
}

/**
 * Returns where a value in quotes is closed, or the line ends: what is cut off is read to its end.
 *
 * In JSON within JSON each level doubles the backslashes: those before a closing quote are the ones of its level, those
 * before a quote that belongs to the value are more.
 */
export function findClosing(text: string, { start, slashes, quote }: Quoting): number {
  const period = 2 * (slashes + 1);
  let before = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\n") return at;
    if (character === quote && before % period === slashes) return at - slashes;
    before = character === "\\" ? before + 1 : 0;
  }
  return text.length;
}
