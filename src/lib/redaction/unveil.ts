import type { Range } from "./marker.ts";

/** A text without what hides the words in it, and the way back to where they stood. */
export interface Unveiled {
  readonly text: string;
  /** Returns where a character of the plain text stands in the veiled one. */
  readonly rangeOf: (at: number) => Range;
}

/** Spaces that are none of ASCII, and characters that have no width. */
const gaps = String.raw`\xa0\u1680\u2000-\u200a\u202f\u205f\u3000`;
const nothings = String.raw`\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff`;

/** Beside these: the colours and links of a terminal, also escaped, and letters that JSON spells with their number. */
const veil = new RegExp(
  [
    String.raw`(?:\x1b|\\{1,4}(?:u001b|x1b|033|e))\[[0-9;?]{0,24}[A-Za-z]`,
    String.raw`\x1b\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)`,
    String.raw`\\{1,4}u00[2-7][0-9a-f]`,
    `[${gaps}${nothings}]`,
  ].join("|"),
  "gi",
);
const gap = new RegExp(`[${gaps}]`);
const beyondAscii = new RegExp(`[${gaps}${nothings}]`);
const escapes = ["\u001b", "\\u00", "\\x1b[", "\\033[", "\\e["];

/** Takes the veils off a text; undefined for a text without any, which costs next to nothing to find out. */
export function unveil(text: string): Unveiled | undefined {
  if (!isVeiled(text)) return undefined;
  const parts: string[] = [];
  // For each part, where it begins in the plain text and in the veiled one, and how wide a character of it is there.
  const starts: number[] = [];
  const places: number[] = [];
  const widths: number[] = [];
  let length = 0;
  let from = 0;
  const push = (part: string, place: number, width: number): void => {
    if (part === "") return;
    parts.push(part);
    starts.push(length);
    places.push(place);
    widths.push(width);
    length += part.length;
  };
  for (const { 0: found, index } of text.matchAll(veil)) {
    push(text.slice(from, index), from, 1);
    push(standIn(found), index, found.length);
    from = index + found.length;
  }
  push(text.slice(from), from, 1);
  const rangeOf = (at: number): Range => {
    const part = lastUpTo(starts, at);
    const start = (places[part] ?? 0) + at - (starts[part] ?? 0);
    return { start, end: start + (widths[part] ?? 1) };
  };
  return { text: parts.join(""), rangeOf };
}

function isVeiled(text: string): boolean {
  if (escapes.some((each) => text.includes(each))) return true;
  // Counting bytes is far quicker than looking for characters, and most texts have one byte for each.
  return Buffer.byteLength(text) !== text.length && beyondAscii.test(text);
}

/** Returns what a veil stands for: a space, a letter or nothing. */
function standIn(found: string): string {
  if (gap.test(found)) return " ";
  const code = /u00([2-7][0-9a-f])$/i.exec(found)?.[1];
  return code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16));
}

/** Returns the position of the last number that is not greater than another; the numbers are in order. */
function lastUpTo(ordered: readonly number[], limit: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
