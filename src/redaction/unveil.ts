import type { Range } from "../lib/marker.ts";

/** A part of a text without what hides the words in it, and the way back to where they stood. */
export interface Unveiled {
  readonly text: string;
  /** Returns where a character of the plain text stands in the veiled one. */
  readonly rangeOf: (at: number) => Range;
  /** It begins within a line, so that nothing is known of what its first word follows. */
  readonly isCut: boolean;
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

/** Takes the veils off the lines that have some, and off those beside them; a text without any costs next to nothing. */
export function unveil(text: string): readonly Unveiled[] {
  if (!isVeiled(text)) return [];
  const veils = Array.from(text.matchAll(veil), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    plain: standIn(found),
  }));
  let next = 0;
  return findWindows(text, veils).map((window) => {
    const first = next;
    while ((veils[next]?.start ?? Number.POSITIVE_INFINITY) < window.end) next += 1;
    return unveilWindow(text, window, veils.slice(first, next));
  });
}

/** Tells whether something may hide the words of a text. */
export function isVeiled(text: string): boolean {
  if (escapes.some((each) => text.includes(each))) return true;
  // Counting bytes is far quicker than looking for characters, and most texts have one byte for each.
  return Buffer.byteLength(text) !== text.length && beyondAscii.test(text);
}

/** How far the beginning and the end of a line are looked for. */
const farthestBack = 512;
const farthestAhead = 4096;

interface Window extends Range {
  readonly isCut: boolean;
}

/** Returns the stretches of a text that hold veils, each with a line before and a line behind. */
function findWindows(text: string, veils: readonly Range[]): readonly Window[] {
  const windows: Window[] = [];
  let lineEnd = 0;
  for (const { start, end } of veils) {
    if (start < lineEnd) continue;
    lineEnd = findLineEnd(text, end);
    const ahead = findLineEnd(text, lineEnd + 1);
    const back = findLineStart(text, start);
    const last = windows.at(-1);
    if (last === undefined || back > last.end)
      windows.push({ start: back, end: ahead, isCut: back > 0 && text[back - 1] !== "\n" });
    else windows[windows.length - 1] = { ...last, end: ahead };
  }
  return windows;
}

function findLineEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + farthestAhead);
  const found = text.slice(from, limit).indexOf("\n");
  return found === -1 ? limit : from + found;
}

/** Returns where the line before the one of a place begins. */
function findLineStart(text: string, at: number): number {
  const limit = Math.max(0, at - farthestBack);
  const before = text.slice(limit, at);
  const own = before.lastIndexOf("\n");
  const previous = own <= 0 ? -1 : before.lastIndexOf("\n", own - 1);
  if (previous === -1) return limit === 0 || own === -1 ? limit : limit + own + 1;
  return limit + previous + 1;
}

interface Veil extends Range {
  readonly plain: string;
}

function unveilWindow(text: string, window: Window, veils: readonly Veil[]): Unveiled {
  const parts: string[] = [];
  // For each part, where it begins in the plain text and in the veiled one, and how wide a character of it is there.
  const starts: number[] = [];
  const places: number[] = [];
  const widths: number[] = [];
  let length = 0;
  let from = window.start;
  const push = (part: string, place: number, width: number): void => {
    if (part === "") return;
    parts.push(part);
    starts.push(length);
    places.push(place);
    widths.push(width);
    length += part.length;
  };
  for (const { start, end, plain } of veils) {
    push(text.slice(from, start), from, 1);
    push(plain, start, end - start);
    from = end;
  }
  push(text.slice(from, window.end), from, 1);
  const rangeOf = (at: number): Range => {
    const part = lastUpTo(starts, at);
    const start = (places[part] ?? 0) + at - (starts[part] ?? 0);
    return { start, end: start + (widths[part] ?? 1) };
  };
  return { text: parts.join(""), rangeOf, isCut: window.isCut };
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
