import { markerOpening } from "../lib/marker.ts";
import type { Word } from "./command-line.ts";
import { findClosing } from "./quoting.ts";

/** A word and where it begins in the text. */
export interface PlacedWord extends Word {
  readonly start: number;
}

const mostWords = 24;
const longestWord = 256;
const gap = /[ \t]{1,16}(?:\\\r?\n[ \t]{0,40})?/y;
const quote = /(?<slashes>\\{0,3})(?<quote>["'])/y;
const comma = /\\{0,3}["'],\s{0,80}(?=\\{0,3}["'])/y;
const bare = new RegExp(String.raw`[^\s"'\x60|;&<>()\\]{1,${longestWord}}`, "y");

/**
 * Reads the words that follow a command on its line, or in the list in which it is the first.
 *
 * A marker ends the line: what it stands for may have held the end of the command.
 */
export function readWords(text: string, from: number): readonly PlacedWord[] {
  return isAt(comma, text, from) ? readItems(text, from) : readArguments(text, from);
}

function readItems(text: string, from: number): readonly PlacedWord[] {
  const words: PlacedWord[] = [];
  for (let at = from; words.length < mostWords && isAt(comma, text, at); ) {
    const word = readQuoted(text, comma.lastIndex);
    if (word === undefined) break;
    words.push({ text: word.text, start: word.start });
    at = word.start + word.text.length;
  }
  return words;
}

function readArguments(text: string, from: number): readonly PlacedWord[] {
  const words: PlacedWord[] = [];
  for (let at = from; words.length < mostWords; ) {
    const isGlued = !isAt(gap, text, at);
    const start = isGlued ? at : gap.lastIndex;
    const word = readQuoted(text, start) ?? (isGlued ? undefined : readBare(text, start));
    if (word === undefined || (isGlued && at === from) || word.text.includes(markerOpening)) break;
    words.push({ text: word.text, start: word.start, isGlued });
    at = word.end;
  }
  return words;
}

interface Found {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function readQuoted(text: string, at: number): Found | undefined {
  quote.lastIndex = at;
  const groups = quote.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const start = quote.lastIndex;
  const slashes = groups.slashes?.length ?? 0;
  // A quote that does not close is that of a longer text around the command.
  const end = findClosing(text.slice(0, start + longestWord), { start, slashes, quote: groups.quote ?? "" });
  if (end === Math.min(text.length, start + longestWord) || text[end] === "\n") return undefined;
  return { text: text.slice(start, end), start, end: end + slashes + 1 };
}

function readBare(text: string, at: number): Found | undefined {
  bare.lastIndex = at;
  const found = bare.exec(text)?.[0];
  return found === undefined ? undefined : { text: found, start: at, end: at + found.length };
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
