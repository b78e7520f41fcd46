import type { Entry } from "../../sessions/entry.ts";
import type { SearchRequest } from "../../sessions/search-index.ts";
import { keyLimit } from "./document-key.ts";
import { textsOf } from "./entry-texts.ts";
import { type Candidate, findCandidates, type Wish } from "./find-candidates.ts";
import { readSize, unlessBad } from "./index-entries.ts";
import { liftByLines } from "./lift-by-lines.ts";
import { firstPart, type Shown } from "./make-snippet.ts";
import type { Item, Query } from "./parse-query.ts";
import type { SearchPlan } from "./plan-search.ts";
import type { PlacedEntry } from "./rank-entries.ts";
import { placeOf, readPlaces } from "./read-behind.ts";
import { type Counted, countInTexts, makeScale, type Scale, type ScoredEntry, scoreOf } from "./score.ts";
import type { Indexes } from "./tail-index.ts";
import { readWanted, saysMuch } from "./wanted.ts";

/** Entries in the order of the answer, and what of them is shown. */
interface Ranking {
  readonly entries: readonly PlacedEntry[];
  readonly shown: Shown;
  /** One of these stands in each of them. */
  readonly any: Item;
  /** Entries that were read, by `placeOf`. */
  readonly read: ReadonlyMap<string, Entry>;
}

/** The best of so many are read, and scored by what they say. */
const mostRead = 64;
/** How much of the score of the entry before or after it an entry gains: an answer stands beside its question. */
const neighbourShare = 0.1;
/** How much of its score an entry keeps that says what a better one says. */
const repeatedShare = 0.5;
/** With the newest first, an entry must fit this well, as a part of the best score. */
const newestShare = 0.5;

/** Returns the entries that fit best: by score and then by time, or by time what fits well. */
export async function rankSearch(
  indexes: Indexes,
  query: Query,
  plan: SearchPlan,
  request: SearchRequest,
): Promise<Ranking> {
  const scale = makeScale(await readWanted(indexes, query), await readSize(indexes.parts));
  const items = scale.wanted.map(({ item }) => item);
  const read = new Map<string, Entry>();
  const found = items.length === 0 ? [] : await scoreAll(indexes, { query, plan, scale, read });
  const scored = (await liftByLines(indexes.store, found, { scale, request })).toSorted(
    (one, other) => other.score - one.score || byKey(one, other),
  );
  const best = scored[0]?.score ?? 0;
  const newest = () => scored.filter(({ score }) => score >= newestShare * best).toSorted(byKey);
  const entries = (request.order === "newest" ? newest() : scored).map(
    ({ sessionKey, seq, score }, index) => ({
      ...{ sessionKey, seq, place: { step: 0, key: keyLimit - 1 - index } },
      // A score is told as a whole number.
      score: Math.round(score * 100),
    }),
  );
  // What says little is not worth showing, unless there is nothing else.
  const told = scale.wanted.filter(saysMuch).map(({ item }) => item);
  return { entries, shown: { items: told.length > 0 ? told : items, need: "any" }, any: items.flat(), read };
}

const byKey = (one: { readonly key: number }, other: { readonly key: number }) => other.key - one.key;

interface Scoring extends Wish {
  /** Gets the entries that are read. */
  readonly read: Map<string, Entry>;
}

async function scoreAll(
  indexes: Indexes,
  { read: entries, ...wish }: Scoring,
): Promise<readonly ScoredEntry[]> {
  const { scale } = wish;
  const candidates = await findCandidates(indexes, wish);
  const roughly = candidates
    .map((candidate) => ({ candidate, score: scoreOf(countRoughly(candidate, scale), scale) }))
    .toSorted((one, other) => other.score - one.score || byKey(one.candidate, other.candidate));
  const best = roughly.slice(0, mostRead).map(({ candidate }) => candidate);
  for (const [place, entry] of await readPlaces(indexes.store, best)) entries.set(place, entry);
  const read = scoreRead(entries, best, scale);
  const worst = read.at(-1)?.score ?? 0;
  // What was not read has no better place than what was.
  const rest = roughly
    .slice(mostRead)
    .map(({ candidate, score }) => toScored(candidate, Math.min(worst, score)));
  return [...read, ...rest].toSorted((one, other) => other.score - one.score || byKey(one, other));
}

function countRoughly({ voice, length, has }: Candidate, { wanted }: Scale): Counted {
  return { voice, length, counts: wanted.map((_, index) => (has.has(index) ? 1 : 0)), near: 0 };
}

function toScored({ key, sessionKey, seq }: Candidate, score: number): ScoredEntry {
  return { key, sessionKey, seq, score };
}

/** Scores entries by their texts, their neighbours, and whether another says the same. */
function scoreRead(
  entries: ReadonlyMap<string, Entry>,
  candidates: readonly Candidate[],
  scale: Scale,
): readonly ScoredEntry[] {
  const scored = candidates.map((candidate) => {
    const entry = entries.get(placeOf(candidate));
    const texts = entry && unlessBad(() => textsOf(entry)?.texts);
    const own = (texts ?? []).map(firstPart);
    const { counts, near } = countInTexts(own, scale);
    // What stands behind the first part of a long text is known from the index alone.
    const all = counts.map((count, index) => (count === 0 && candidate.has.has(index) ? 1 : count));
    const { voice, length } = candidate;
    return {
      candidate,
      text: own.join("\n").slice(0, 400),
      score: scoreOf({ voice, length, counts: all, near }, scale),
    };
  });
  const scores = new Map(scored.map(({ candidate, score }) => [placeOf(candidate), score]));
  const seen = new Set<string>();
  return scored
    .toSorted((one, other) => other.score - one.score || byKey(one.candidate, other.candidate))
    .map(({ candidate, text, score }) => {
      const { sessionKey, seq } = candidate;
      const beside = [seq - 1, seq + 1].map((each) => scores.get(placeOf({ sessionKey, seq: each })) ?? 0);
      const whole = score + neighbourShare * Math.max(...beside);
      const isRepeated = seen.has(text);
      seen.add(text);
      return toScored(candidate, isRepeated ? repeatedShare * whole : whole);
    })
    .toSorted((one, other) => other.score - one.score || byKey(one, other));
}
