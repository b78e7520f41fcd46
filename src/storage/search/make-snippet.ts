import type { SnippetPart } from "../../sessions/search-index.ts";
import { type Match, makeMatcher } from "./match-texts.ts";
import type { Item } from "./parse-query.ts";

/** How much of a text is shown before and after what was found first. */
const before = 60;
const length = 200;
/** So much of each text is looked at first: most of what is found stands there, and a text may be megabytes long. */
const usual = 100_000;

export function firstPart(text: string): string {
  return text.slice(0, usual);
}

/** What a snippet shows: the place where most of it stands together, among those where all of it stands, or any. */
export interface Shown {
  readonly items: readonly Item[];
  readonly need: "all" | "any";
}

/** Returns some of the text around what was found, with what matched told apart. */
export function makeSnippet(shown: Shown, texts: readonly string[]): readonly SnippetPart[] {
  const matches = findMatches(shown, texts);
  const best = bestPlace(matches);
  const text = texts[best?.text ?? texts.findIndex((each) => each.trim() !== "")] ?? "";
  const [from, to] = cutOut(text, best);
  const inside = matches.filter((each) => each.text === best?.text && each.start >= from && each.end <= to);
  return withEllipses(divide(text, { from, to, marks: joinSpans(inside) }), from > 0, to < text.length);
}

/** So much of a piece stands in the next one too, so that no phrase is torn apart. */
const overlap = 2000;

/** Looks at texts piece by piece, until what is needed was found in one; else it returns what stands in the first that has any. */
function findMatches({ items, need }: Shown, texts: readonly string[]): readonly Match[] {
  const match = makeMatcher(items);
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  let any: readonly Match[] = [];
  for (let from = 0; from < longest; from += usual - overlap) {
    const pieces = texts.map((text) => text.slice(from, from + usual));
    const found = match(pieces).map(({ start, end, ...place }) => ({
      ...place,
      start: start + from,
      end: end + from,
    }));
    if (any.length === 0) any = found;
    const isAll = new Set(found.map(({ item }) => item)).size === items.length;
    if (isAll || (need === "any" && found.length > 0)) return found;
  }
  return any;
}

/** The place from which the most different items can be seen at once; the first of several. */
function bestPlace(matches: readonly Match[]): Match | undefined {
  let best: { readonly match: Match; readonly items: number } | undefined;
  for (const [index, match] of matches.slice(0, 200).entries()) {
    const near = matches
      .slice(index, index + 50)
      .filter((each) => each.text === match.text && each.end <= match.start + length - before);
    const items = new Set(near.map(({ item }) => item)).size;
    if (best === undefined || items > best.items) best = { match, items };
  }
  return best?.match;
}

function cutOut(text: string, place: Match | undefined): readonly [from: number, to: number] {
  const start = place?.start ?? 0;
  const from = Math.max(0, start - before);
  const to = Math.min(text.length, Math.max(from + length, Math.min(place?.end ?? 0, from + 2 * length)));
  return [atSpace(text, from, start), notInPair(text, to)];
}

/** Begins with a whole word where there is one near. */
function atSpace(text: string, from: number, latest: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, Math.min(latest, from + before / 2)).search(/\s/);
  return notInPair(text, space === -1 ? from : from + space + 1);
}

function notInPair(text: string, at: number): number {
  const isInside = /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1));
  return isInside ? at - 1 : at;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Joins places that overlap or touch: a word may be found as a whole and by its parts. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Divides a part of a text at the places that are told apart. */
export function divide(
  text: string,
  { from, to, marks }: { readonly from: number; readonly to: number; readonly marks: readonly Span[] },
): readonly SnippetPart[] {
  const parts: SnippetPart[] = [];
  let at = from;
  for (const { start, end } of marks) {
    parts.push(
      { text: text.slice(at, start), isMatch: false },
      { text: text.slice(start, end), isMatch: true },
    );
    at = end;
  }
  parts.push({ text: text.slice(at, to), isMatch: false });
  return parts.filter((part) => part.text !== "");
}

function withEllipses(parts: readonly SnippetPart[], isCutBefore: boolean, isCutAfter: boolean) {
  const ellipsis = { text: "…", isMatch: false };
  return [...(isCutBefore ? [ellipsis] : []), ...parts, ...(isCutAfter ? [ellipsis] : [])];
}
