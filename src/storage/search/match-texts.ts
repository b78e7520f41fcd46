import type { Item, Phrase } from "./parse-query.ts";
import { listIdentifiers, listTerms, type Term } from "./terms.ts";

/** A place where one item of a query stands. */
export interface Match {
  /** Which of the texts. */
  readonly text: number;
  readonly item: number;
  readonly start: number;
  readonly end: number;
}

/** More places are not worth telling. */
const mostMatches = 1000;

/** Finds the items of a query in texts, in the order of the texts; undefined unless each of them is there. */
export function matchTexts(items: readonly Item[], texts: readonly string[]): readonly Match[] | undefined {
  const matches = listMatches(items, texts);
  return new Set(matches.map(({ item }) => item)).size < items.length ? undefined : matches;
}

/** Finds those items of a query that stand in texts. */
export function listMatches(items: readonly Item[], texts: readonly string[]): readonly Match[] {
  const matches: Match[] = [];
  for (const [text, content] of texts.entries()) {
    for (const match of matchText(items, content)) {
      if (matches.length < mostMatches || !matches.some(({ item }) => item === match.item))
        matches.push({ ...match, text });
    }
  }
  return matches;
}

/** Finds the items of a query that stand in a text, in its order. */
export function matchText(items: readonly Item[], text: string): readonly Omit<Match, "text">[] {
  const terms = listTerms(text);
  const streams = [terms, ...listIdentifiers(text, terms)];
  const matches = items.flatMap((phrases, item) =>
    phrases.flatMap((phrase) =>
      streams.flatMap((stream) => placesOf(phrase, stream).map((place) => ({ item, ...place }))),
    ),
  );
  return matches.toSorted((one, other) => one.start - other.start);
}

function placesOf(phrase: Phrase, terms: readonly Term[]): readonly { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  const last = phrase.terms.length - 1;
  for (let at = 0; at + last < terms.length; at += 1) {
    const [first, end] = [terms[at], terms[at + last]];
    if (first !== undefined && end !== undefined && isAt(phrase, terms, at))
      places.push({ start: first.start, end: shownEnd(phrase, end) });
  }
  return places;
}

function isAt({ terms: wanted, isPrefix }: Phrase, terms: readonly Term[], at: number): boolean {
  const last = wanted.length - 1;
  return wanted.every((term, index) => {
    const there = terms[at + index]?.text;
    return isPrefix && index === last ? there?.startsWith(term) === true : there === term;
  });
}

/** Of two characters that are indexed together only one may be meant. */
function shownEnd({ terms, isPrefix }: Phrase, { end, middle }: Term): number {
  const isHalf = isPrefix && Array.from(terms.at(-1) ?? "").length === 1;
  return isHalf ? (middle ?? end) : end;
}
