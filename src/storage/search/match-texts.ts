import type { Item, Phrase } from "./parse-query.ts";
import { listIdentifiers, listTerms, type Term } from "./terms.ts";

/** A place where one of several items stands. */
export interface Match {
  /** Which of the texts. */
  readonly text: number;
  readonly item: number;
  readonly start: number;
  readonly end: number;
}

/** Returns what finds those items of a query that stand in texts, in their order, by one look at each term. */
export function makeMatcher(items: readonly Item[]): (texts: readonly string[]) => readonly Match[] {
  const all = items.flatMap((phrases, item) => phrases.map((phrase) => ({ item, phrase })));
  const isBeginning = ({ terms, isPrefix }: Phrase) => isPrefix && terms.length === 1;
  const beginnings = all.filter(({ phrase }) => isBeginning(phrase));
  const others = all.filter(({ phrase }) => !isBeginning(phrase));
  const byFirst = Map.groupBy(others, ({ phrase }) => phrase.terms[0]);
  const matchText = (content: string, text: number): readonly Match[] => {
    const terms = listTerms(content);
    const matches = [terms, ...listIdentifiers(content, terms)].flatMap((stream) =>
      stream.flatMap((term, at) =>
        [...(byFirst.get(term.text) ?? []), ...beginnings].flatMap(({ item, phrase }) => {
          const end = endOf(phrase, stream, at);
          return end === undefined ? [] : [{ text, item, start: term.start, end }];
        }),
      ),
    );
    const sorted = matches.toSorted(
      (one, other) => one.start - other.start || one.item - other.item || other.end - one.end,
    );
    // A word of an identifier stands among the terms too.
    return sorted.filter(({ start, item }, index) => {
      const before = sorted[index - 1];
      return before?.start !== start || before.item !== item;
    });
  };
  return (texts) => texts.flatMap(matchText);
}

/** Returns where a phrase ends that begins at one of the terms of a text; undefined where it does not. */
function endOf({ terms: wanted, isPrefix }: Phrase, terms: readonly Term[], at: number): number | undefined {
  const last = wanted.length - 1;
  const isThere = wanted.every((term, index) => {
    const there = terms[at + index]?.text;
    return isPrefix && index === last ? there?.startsWith(term) === true : there === term;
  });
  const end = terms[at + last];
  if (!isThere || end === undefined) return undefined;
  // Of two characters that are indexed together only one may be meant.
  const isHalf = isPrefix && Array.from(wanted[last] ?? "").length === 1;
  return isHalf ? (end.middle ?? end.end) : end.end;
}
