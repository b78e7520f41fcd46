import type { Entry } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { SearchRequest } from "../../sessions/search-index.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { textsOf } from "./entry-texts.ts";
import { type FoundEntry, findEntries, findEntryKeys } from "./find-documents.ts";
import { readSize, unlessBad } from "./index-entries.ts";
import type { Ranking } from "./load-hits.ts";
import { firstPart } from "./make-snippet.ts";
import type { Item, Phrase, Query } from "./parse-query.ts";
import type { Search } from "./plan-search.ts";
import { placeOf, readPlaces } from "./read-behind.ts";
import { countInTexts, makeScale, type Scale, type ScoredEntry, scoreOf } from "./score.ts";
import { placeholders } from "./search-dialect.ts";
import type { Indexes } from "./tail-index.ts";
import { readWanted, saysMuch, type Wanted } from "./wanted.ts";

/** The best of so many are read, and scored by what they say. */
const mostRead = 64;
/** How much of the score of the entry before or after it an entry gains: an answer stands beside its question. */
const neighbourShare = 0.1;
/** How much of its score an entry keeps that says what a better one says. */
const repeatedShare = 0.5;
/** Lines are asked for of so many sessions: those of the best entries. */
const mostSessions = 12;
/** How much of the score of a line an entry gets that the line comes from. */
const lineShare = 0.7;
/** With the newest first, an entry must fit this well, as a part of the best score. */
const newestShare = 0.5;

/** What is wanted, in which order, and what is said elsewhere of the entries. */
interface Asked extends Pick<SearchRequest, "order" | "linesOf"> {
  readonly query: Query;
}

/** Ranks the entries that fit best: by score and then by time, or by time what fits well. */
export async function rankSearch(
  indexes: Indexes,
  search: Search,
  { query, order, linesOf }: Asked,
): Promise<Ranking> {
  const scale = makeScale(await readWanted(indexes, query), await readSize(indexes.parts));
  const candidates = scale.wanted.length === 0 ? [] : await findCandidates(indexes, search, scale);
  const roughly = inOrder(
    candidates.map((each) => {
      const counts = scale.wanted.map((_, index) => (each.has.has(index) ? 1 : 0));
      return { ...each, score: scoreOf({ ...each, counts, near: 0 }, scale) };
    }),
  );
  const best = roughly.slice(0, mostRead);
  const read = await readPlaces(indexes.store, best);
  const scored = scoreRead(best, read, scale);
  const worst = scored.at(-1)?.score ?? 0;
  // What was not read has no better place than what was.
  const rest = roughly.slice(mostRead).map((each) => ({ ...each, score: Math.min(worst, each.score) }));
  const ranked = inOrder(await liftByLines(indexes.store, inOrder([...scored, ...rest]), { scale, linesOf }));
  const least = newestShare * (ranked[0]?.score ?? 0);
  const isGood = ({ score }: ScoredEntry) => score >= least;
  const entries = order === "newest" ? ranked.filter(isGood).toSorted(byKey) : ranked;
  // A score is told as a whole number.
  const placed = entries.map((entry, index) => ({
    ...entry,
    place: index + 1,
    score: Math.round(entry.score * 100),
  }));
  // What says little is not worth showing, unless there is nothing else.
  const told = scale.wanted.some(saysMuch) ? scale.wanted.filter(saysMuch) : scale.wanted;
  return {
    next: async (count, after = 0) => placed.slice(after, after + count),
    shown: { items: told.map(({ item }) => item), need: "any" },
    read,
  };
}

function byKey(one: ScoredEntry, other: ScoredEntry): number {
  return other.key - one.key;
}

function inOrder<Scored extends ScoredEntry>(entries: readonly Scored[]): readonly Scored[] {
  return entries.toSorted((one, other) => other.score - one.score || byKey(one, other));
}

/** Scores entries by their texts, their neighbours, and whether another says the same. */
function scoreRead(
  candidates: readonly Candidate[],
  entries: ReadonlyMap<string, Entry>,
  scale: Scale,
): readonly ScoredEntry[] {
  const scored = candidates.map((candidate) => {
    const entry = entries.get(placeOf(candidate));
    const texts = ((entry && unlessBad(() => textsOf(entry)?.texts)) ?? []).map(firstPart);
    const { counts, near } = countInTexts(texts, scale);
    // What stands behind the first part of a long text is known from the index alone.
    const all = counts.map((count, index) => (count === 0 && candidate.has.has(index) ? 1 : count));
    const score = scoreOf({ ...candidate, counts: all, near }, scale);
    return { ...candidate, score, text: texts.join("\n").slice(0, 400) };
  });
  const scores = new Map(scored.map((each) => [placeOf(each), each.score]));
  const seen = new Set<string>();
  const lifted = inOrder(scored).map(({ text, ...entry }) => {
    const { sessionKey, seq } = entry;
    const beside = [seq - 1, seq + 1].map((each) => scores.get(placeOf({ sessionKey, seq: each })) ?? 0);
    const whole = entry.score + neighbourShare * Math.max(...beside);
    const isRepeated = seen.has(text);
    seen.add(text);
    return { ...entry, score: isRepeated ? repeatedShare * whole : whole };
  });
  return inOrder(lifted);
}

/** Lifts entries to a share of the score of the lines that come from them; those of entries that were not found find nothing. */
async function liftByLines(
  runner: SqlRunner,
  found: readonly ScoredEntry[],
  { scale, linesOf }: { readonly scale: Scale; readonly linesOf: SearchRequest["linesOf"] },
): Promise<readonly ScoredEntry[]> {
  if (linesOf === undefined || found.length === 0) return found;
  const keys = [...new Set(found.map(({ sessionKey }) => sessionKey))].slice(0, mostSessions);
  const rows = await runner.all(
    `SELECT s.key, s.id FROM session s JOIN session_head h ON h.session_key = s.key
     WHERE h.deleted_ms IS NULL AND s.key IN (${placeholders(keys)})`,
    keys,
  );
  const lifted = new Map<string, number>();
  const sessions = new Map(rows.map(([key, id]) => [id as SessionId, key as number]));
  for (const { session, seqs, texts } of await linesOf([...sessions.keys()])) {
    const length = texts[0]?.length ?? 0;
    const score = lineShare * scoreOf({ voice: "summary", length, ...countInTexts(texts, scale) }, scale);
    for (const seq of seqs) {
      const place = placeOf({ sessionKey: sessions.get(session) ?? 0, seq });
      lifted.set(place, Math.max(score, lifted.get(place) ?? 0));
    }
  }
  return found.map((entry) => ({
    ...entry,
    score: Math.max(entry.score, lifted.get(placeOf(entry)) ?? 0),
  }));
}

/** An entry that has something of what is wanted. */
interface Candidate extends FoundEntry {
  /** Which of what is wanted stands in it. */
  readonly has: ReadonlySet<number>;
}

/** More entries are not looked at. */
const mostCandidates = 1000;
/** Of those that have something of what is wanted, no more are told. */
const mostHolders = 10_000;
/** What stands in fewer of the documents is rare. */
const rareShare = 0.05;

/** Entries that were found by some words, none of them older than a key. */
interface Group {
  readonly item: Item;
  readonly from: number;
}

/** Finds entries that have something of what is wanted, and what each of them has. */
async function findCandidates(indexes: Indexes, search: Search, scale: Scale): Promise<readonly Candidate[]> {
  const { entries, groups } = await collect(indexes, search, scale);
  const found = new Map(entries.map((entry) => [entry.key, { ...entry, has: new Set<number>() }]));
  for (const [index, { item }] of scale.wanted.entries()) {
    for (const { item: other, from } of groups) {
      const holders = await findEntryKeys(indexes, [item, other], { from, limit: mostHolders });
      for (const key of holders) found.get(key)?.has.add(index);
    }
  }
  return [...found.values()];
}

/** Collects all entries that have the rarest words, and of the first word that is in too many of them the newest. */
async function collect(indexes: Indexes, search: Search, { wanted, size }: Scale) {
  const entries = new Map<number, FoundEntry>();
  const whole: Phrase[] = [];
  let cut: readonly Group[] = [];
  for (const { item, isTelling, documents } of groupRarest(wanted)) {
    const room = mostCandidates - entries.size;
    if (room <= 0 || (entries.size > 0 && !isTelling)) break;
    const look = { ...search, items: [...search.items, item] };
    const way = { limit: room, isRare: documents < rareShare * size.documents };
    const found = await findEntries(indexes, look, way);
    for (const entry of found) entries.set(entry.key, entry);
    if (found.length < room) whole.push(...item);
    else cut = [{ item, from: found.at(-1)?.key ?? 0 }];
  }
  const groups: readonly Group[] = [{ item: whole, from: 0 }, ...cut];
  return { entries: [...entries.values()], groups: groups.filter(({ item }) => item.length > 0) };
}

/**
 * Joins the rarest words as long as all their documents can be looked at; each of the others stands alone.
 *
 * Those that say little come last: of common words they are worth looking for only where there is nothing else.
 */
function groupRarest(
  wanted: readonly Wanted[],
): readonly { readonly item: Item; readonly isTelling: boolean; readonly documents: number }[] {
  let sum = 0;
  const rare: Item[] = [];
  const others: Wanted[] = [];
  for (const each of wanted) {
    sum += each.documents;
    if (sum <= mostCandidates) rare.push(each.item);
    else others.push(each);
  }
  const alone = others
    .map(({ item, documents, weight }) => ({ item, documents, isTelling: saysMuch({ weight }) }))
    .toSorted((one, other) => Number(other.isTelling) - Number(one.isTelling));
  return rare.length === 0
    ? alone
    : [{ item: rare.flat(), isTelling: true, documents: mostCandidates }, ...alone];
}
