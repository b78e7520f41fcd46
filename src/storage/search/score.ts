import type { Voice } from "./entry-texts.ts";
import type { IndexSize } from "./index-entries.ts";
import type { Item } from "./parse-query.ts";
import { listTerms } from "./terms.ts";
import type { Wanted } from "./wanted.ts";

/** An entry that was found, and how well it fits. */
export interface ScoredEntry {
  readonly key: number;
  readonly sessionKey: number;
  readonly seq: number;
  readonly score: number;
}

/** How fast it stops counting that a word stands in an entry once more, and how much the length of an entry takes away (BM25). */
const saturation = 1.2;
const lengthShare = 0.4;
/** How much an entry gains that has all that is wanted, and one that has it within a few words. */
const coverageShare = 1;
const nearShare = 0.5;
const nearTerms = 40;

/** What people said and were told comes before what machines said, and what was only thought comes last. */
const voices: Readonly<Record<Voice, number>> = {
  ...{ user: 1.1, title: 1, assistant: 1.2, summary: 1, call: 1 },
  ...{ tool: 0.7, event: 0.7, round: 0.8, other: 0.6, thought: 0.5 },
};

/** What is wanted, with how much each of it counts. */
export interface Scale {
  readonly wanted: readonly Wanted[];
  readonly values: readonly number[];
  readonly total: number;
  readonly size: IndexSize;
}

/** The rarer something is, the more it counts. */
export function makeScale(wanted: readonly Wanted[], size: IndexSize): Scale {
  const values = wanted.map(({ documents, weight }) => {
    const others = Math.max(0, size.documents - documents);
    return weight * Math.log(1 + (others + 0.5) / (documents + 0.5));
  });
  return { wanted, values, total: values.reduce((sum, value) => sum + value, 0), size };
}

/** An entry, and how often each thing that is wanted stands in it. */
export interface Counted {
  readonly voice: Voice;
  readonly length: number;
  readonly counts: readonly number[];
  /** The most that stands within a few words; 0 where nobody looked. */
  readonly near: number;
}

/** Returns how well an entry fits: one function for all engines, of what both of them keep. */
export function scoreOf({ voice, length, counts, near }: Counted, { values, total, size }: Scale): number {
  const norm = saturation * (1 - lengthShare + (lengthShare * length) / Math.max(1, size.length));
  let [score, found] = [0, 0];
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue;
    const value = values[index] ?? 0;
    found += value;
    score += (value * count * (saturation + 1)) / (count + norm);
  }
  return score * voices[voice] * (1 + (coverageShare * found) / total) * (1 + (nearShare * near) / total);
}

/** Counts in texts what is wanted, and finds the most that stands within a few words. */
export function countInTexts(
  texts: readonly string[],
  { wanted, values }: Scale,
): Pick<Counted, "counts" | "near"> {
  const counts = wanted.map(() => 0);
  const matcher = makeMatcher(wanted.map(({ item }) => item));
  let near = 0;
  for (const text of texts) {
    const places = matcher(text);
    for (const { index } of places) counts[index] = (counts[index] ?? 0) + 1;
    near = Math.max(near, mostNear(places, values));
  }
  return { counts, near };
}

interface Place {
  readonly index: number;
  /** The number of a term. */
  readonly at: number;
}

type Matcher = (text: string) => readonly Place[];

/** Finds single words by one look at each term, and phrases from their first term on. */
function makeMatcher(items: readonly Item[]): Matcher {
  const starts = new Map<string, { readonly index: number; readonly rest: readonly string[] }[]>();
  const prefixes: { readonly index: number; readonly prefix: string }[] = [];
  for (const [index, item] of items.entries()) {
    for (const { terms, isPrefix } of item) {
      const [first = "", ...rest] = terms;
      if (isPrefix) prefixes.push({ index, prefix: first });
      else starts.set(first, [...(starts.get(first) ?? []), { index, rest }]);
    }
  }
  return (text) => {
    const terms = listTerms(text).flatMap((term) => [
      term.text,
      ...(term.parts ?? []).map((part) => part.text),
    ]);
    return terms.flatMap((term, at) =>
      [
        ...(starts.get(term) ?? []).filter(({ rest }) =>
          rest.every((each, after) => terms[at + 1 + after] === each),
        ),
        ...prefixes.filter(({ prefix }) => term.startsWith(prefix)),
      ].map(({ index }) => ({ index, at })),
    );
  };
}

/** Returns the greatest value of different things that stand within a few words. */
function mostNear(places: readonly Place[], values: readonly number[]): number {
  const inside = new Map<number, number>();
  let value = 0;
  const count = ({ index }: Place, by: 1 | -1) => {
    const [before, now] = [inside.get(index) ?? 0, (inside.get(index) ?? 0) + by];
    inside.set(index, now);
    if (before === 0 || now === 0) value += by * (values[index] ?? 0);
  };
  let [first, most] = [0, 0];
  for (const place of places) {
    count(place, 1);
    for (let left = places[first]; left && place.at - left.at >= nearTerms; left = places[first]) {
      count(left, -1);
      first += 1;
    }
    most = Math.max(most, value);
  }
  return most;
}
