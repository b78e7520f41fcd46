import type { FoundEntry } from "./find-documents.ts";
import type { IndexSize } from "./index-entries.ts";
import { type Match, makeMatcher } from "./match-texts.ts";
import type { Wanted } from "./wanted.ts";

/** An entry that was found, and how well it fits. */
export interface ScoredEntry extends FoundEntry {
  readonly score: number;
}

/** How fast it stops counting that a word stands in an entry once more, and how much the length of an entry takes away (BM25). */
const saturation = 1.2;
const lengthShare = 0.4;
/** How much an entry gains that has all that is wanted, and one that has it within a few words. */
const coverageShare = 1;
const nearShare = 0.5;
const nearLength = 240;

/** What people said and were told comes before what machines said, and what was only thought comes last. */
const voices: Readonly<Record<FoundEntry["voice"], number>> = {
  ...{ user: 1.1, title: 1, assistant: 1.2, summary: 1, call: 1 },
  ...{ tool: 0.7, event: 0.7, round: 0.8, other: 0.6, thought: 0.5 },
};

/** What is wanted, with how much each of it counts. */
export interface Scale {
  readonly wanted: readonly (Wanted & { readonly value: number })[];
  readonly total: number;
  readonly size: IndexSize;
}

/** The rarer something is, the more it counts. */
export function makeScale(wanted: readonly Wanted[], size: IndexSize): Scale {
  const valued = wanted.map((each) => {
    const others = Math.max(0, size.documents - each.documents);
    return { ...each, value: each.weight * Math.log(1 + (others + 0.5) / (each.documents + 0.5)) };
  });
  return { wanted: valued, total: valued.reduce((sum, { value }) => sum + value, 0), size };
}

/** An entry, and how often each thing that is wanted stands in it. */
export interface Counted extends Pick<FoundEntry, "voice" | "length"> {
  readonly counts: readonly number[];
  /** The most that stands within a few words; 0 where nobody looked. */
  readonly near: number;
}

/** Returns how well an entry fits: one function for all engines, of what both of them keep. */
export function scoreOf({ voice, length, counts, near }: Counted, { wanted, total, size }: Scale): number {
  const norm = saturation * (1 - lengthShare + (lengthShare * length) / Math.max(1, size.length));
  let [score, found] = [0, 0];
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue;
    const value = wanted[index]?.value ?? 0;
    found += value;
    score += (value * count * (saturation + 1)) / (count + norm);
  }
  return score * voices[voice] * (1 + (coverageShare * found) / total) * (1 + (nearShare * near) / total);
}

/** Counts in texts what is wanted, and finds the most that stands within a few words. */
export function countInTexts(texts: readonly string[], { wanted }: Scale): Pick<Counted, "counts" | "near"> {
  const counts = wanted.map(() => 0);
  const matches = makeMatcher(wanted.map(({ item }) => item))(texts);
  for (const { item } of matches) counts[item] = (counts[item] ?? 0) + 1;
  return { counts, near: mostNear(matches, wanted) };
}

/** Returns the greatest value of different things that stand within a few words. */
function mostNear(matches: readonly Match[], wanted: Scale["wanted"]): number {
  const inside = new Map<number, number>();
  let value = 0;
  const count = ({ item }: Match, by: 1 | -1) => {
    const [before, now] = [inside.get(item) ?? 0, (inside.get(item) ?? 0) + by];
    inside.set(item, now);
    if (before === 0 || now === 0) value += by * (wanted[item]?.value ?? 0);
  };
  const isFar = (one: Match, other: Match) =>
    one.text !== other.text || other.start - one.start >= nearLength;
  let [first, most] = [0, 0];
  for (const match of matches) {
    count(match, 1);
    for (let left = matches[first]; left && isFar(left, match); left = matches[first]) {
      count(left, -1);
      first += 1;
    }
    most = Math.max(most, value);
  }
  return most;
}
