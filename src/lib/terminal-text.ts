import { createRequire } from "node:module";
import type stringWidth from "string-width";
import { cutOutsideMarker } from "./marker.ts";

const ELLIPSIS = "…";
const TAB_STOP = 8;
const printableAscii = /^[ -~]*$/;
/** Characters of scripts that are written without spaces: a line may end before and after each of them. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303F\uFF01-\uFF60]/u;
const closing = /^[、。，．！？：；）］｝」』】〕》〉ー]/u;
const opening = /^[（［｛「『【〔《〈]/u;

let segmenter: Intl.Segmenter | undefined;

/** Divides a text into grapheme clusters. The first time takes long, and most commands print nothing that needs it. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** A part of a text that is not divided: a grapheme cluster, or one code point of a cluster wider than the line. */
interface Unit {
  readonly text: string;
  readonly width: number;
}

/** Returns how many columns a terminal needs for a text of one line; colours count nothing. */
export function textWidth(text: string): number {
  return printableAscii.test(text) ? text.length : measure(text);
}

let measureWide: typeof stringWidth | undefined;

/** Loads what it needs when the first text asks for it: its patterns alone take as long as the start of a program. */
function measure(text: string): number {
  measureWide ??= (createRequire(import.meta.url)("string-width") as { default: typeof stringWidth }).default;
  return measureWide(text);
}

const knownWidths = new Map<string, number>();

/** Measures one grapheme cluster and remembers the width, because a text repeats few of them and measuring is slow. */
function clusterWidth(cluster: string): number {
  const known = knownWidths.get(cluster);
  if (known !== undefined) return known;
  const width = textWidth(cluster);
  if (knownWidths.size >= 10_000) knownWidths.clear();
  // Most clusters are one or two characters; a text can hold one of any length, which is not worth its memory.
  if (cluster.length <= 16) knownWidths.set(cluster, width);
  return width;
}

/**
 * Shortens a plain text of one line to a width, with `…` in place of what is missing.
 *
 * It divides neither a grapheme cluster nor the marker of a secret.
 */
export function truncate(text: string, width: number): string {
  if (width < 1) return "";
  if (printableAscii.test(text)) {
    return text.length <= width ? text : cut(text, width - 1);
  }
  let column = 0;
  let kept = 0;
  for (const { segment, index } of graphemesOf(text)) {
    column += clusterWidth(segment);
    if (column > width) return cut(text, kept);
    if (column < width) kept = index + segment.length;
  }
  return text;
}

function cut(text: string, place: number): string {
  return text.slice(0, cutOutsideMarker(text, place)) + ELLIPSIS;
}

/** Fills a text with spaces on the right up to a width; a wider one stays as it is. */
export function padEnd(text: string, width: number): string {
  return text + missingSpaces(text, width);
}

/** Fills a text with spaces on the left up to a width; a wider one stays as it is. */
export function padStart(text: string, width: number): string {
  return missingSpaces(text, width) + text;
}

function missingSpaces(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - textWidth(text)));
}

/**
 * Breaks a plain text into lines that are at most `width` columns wide, each starting with `indent`.
 *
 * Breaks at spaces, between characters of scripts without spaces, and inside a word only where it is longer than a line.
 * Line breaks and the space at the start of a line stay, tabs become spaces, spaces at the end of a line go.
 * Beside the indent there is always room for two columns, the widest single character.
 */
export function wrap(text: string, width: number, indent = ""): string {
  const room = Math.max(2, width - textWidth(indent));
  return text
    .split("\n")
    .flatMap((line) => breakLine(expandTabs(line), room))
    .map((line) => (line === "" ? indent.trimEnd() : indent + line))
    .join("\n");
}

function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  const [first = "", ...others] = line.split("\t");
  let expanded = first;
  let column = textWidth(first);
  for (const part of others) {
    const gap = TAB_STOP - (column % TAB_STOP);
    expanded += " ".repeat(gap) + part;
    column += gap + textWidth(part);
  }
  return expanded;
}

function breakLine(line: string, room: number): string[] {
  // No character is wider than two columns, and most lines need not be measured.
  if (line.length + (line.match(/[^ -~]/g)?.length ?? 0) <= room) return [line.trimEnd()];
  const wrapper = new LineWrapper(line, room);
  for (const unit of unitsOf(line, room)) wrapper.add(unit);
  return wrapper.finish();
}

function* unitsOf(line: string, room: number): Generator<Unit> {
  if (printableAscii.test(line)) {
    for (const text of line) yield { text, width: 1 };
    return;
  }
  for (const { segment } of graphemesOf(line)) {
    const width = clusterWidth(segment);
    if (width <= room) yield { text: segment, width };
    else for (const text of segment) yield { text, width: textWidth(text) };
  }
}

/** Takes the units of one line in order and remembers the last place where it may be broken. */
class LineWrapper {
  readonly #line: string;
  readonly #room: number;
  readonly #lines: string[] = [];
  #previous = "";
  #start = 0;
  #end = 0;
  #column = 0;
  #breakAt = 0;
  #breakColumn = 0;

  constructor(line: string, room: number) {
    this.#line = line;
    this.#room = room;
  }

  add(unit: Unit): void {
    if (this.#mayBreakBefore(unit)) this.#allowBreak();
    // Spaces may hang over the end, where they are cut off.
    if (unit.text !== " ") this.#makeRoom(unit.width);
    this.#end += unit.text.length;
    this.#column += unit.width;
    this.#previous = unit.text;
  }

  finish(): string[] {
    const rest = this.#line.slice(this.#start).trimEnd();
    if (rest !== "" || this.#lines.length === 0) this.#lines.push(rest);
    return this.#lines;
  }

  #mayBreakBefore({ text }: Unit): boolean {
    if (this.#previous === " ") return true;
    if (closing.test(text) || opening.test(this.#previous)) return false;
    return unspaced.test(text) || unspaced.test(this.#previous);
  }

  #allowBreak(): void {
    this.#breakAt = this.#end;
    this.#breakColumn = this.#column;
  }

  #makeRoom(width: number): void {
    while (this.#column + width > this.#room && this.#end > this.#start) {
      if (this.#breakAt <= this.#start) this.#allowBreak();
      const finished = this.#line.slice(this.#start, this.#breakAt).trimEnd();
      if (finished !== "") this.#lines.push(finished);
      this.#start = this.#breakAt;
      this.#column -= this.#breakColumn;
    }
  }
}

/**
 * Breaks a line at words where the terminal ends, and begins what follows with an indent; in a pipe it stays as it is.
 *
 * There is room for the indent before the first line too, where the name of a fact stands.
 */
export function wrapLine(text: string, columns: number | undefined, indent = ""): string {
  if (columns === undefined) return text;
  const [first = "", ...others] = wrap(text, columns - indent.length).split("\n");
  return [first, ...others.map((line) => `${indent}${line}`)].join("\n");
}

/** Breaks a line that goes to standard error, unless that is a pipe. Both outputs are the same terminal. */
export function wrapTalk(
  {
    columns,
    isTerminal,
  }: { readonly columns: number | undefined; readonly isTerminal: { readonly error: boolean } },
  text: string,
): string {
  return isTerminal.error ? wrapLine(text, columns, talkIndent(text)) : text;
}

/** What is quoted stays where it stands. */
function talkIndent(text: string): string {
  return /^ */.exec(text)?.[0] ?? "";
}
