import {
  largestPage,
  type SearchHit,
  type SearchPage,
  type SearchRequest,
} from "../../sessions/search-index.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { firstKey } from "./document-key.ts";
import { readSize } from "./index-entries.ts";
import { liftByLines } from "./lift-by-lines.ts";
import { HitLoader } from "./load-hits.ts";
import { firstPart, type Shown } from "./make-snippet.ts";
import { listMatches } from "./match-texts.ts";
import { Originals } from "./originals.ts";
import type { Item, Query } from "./parse-query.ts";
import { planSearch } from "./plan-search.ts";
import { renderPlace } from "./rank-entries.ts";
import { rankSearch, type ScoredEntry } from "./rank-search.ts";
import { type Scanned, scanBehind } from "./scan-behind.ts";
import { scanTexts } from "./scan-texts.ts";
import { charactersOfTerm, countInTexts, makeScale, type Scale, scoreOf } from "./score.ts";
import { readWanted, saysMuch, type Wanted } from "./wanted.ts";

/** A hit that has its place, or the entry of one that is still to be read. */
type Ranked = Pick<ScoredEntry, "key" | "score"> & { readonly entry: ScoredEntry | SearchHit };

/** With the newest first, an entry must fit this well, as a part of the best score. */
const newestShare = 0.5;

interface RankedSearch {
  readonly query: Query;
  readonly request: SearchRequest;
  /** How many places the pages before have taken. */
  readonly from: number;
  /** Whether the index has everything that the log has. */
  readonly isCurrent: boolean;
}

/** Returns one page of the entries that fit best. */
export async function searchRanked(
  runner: SqlRunner,
  { query, request, from, isCurrent }: RankedSearch,
): Promise<Pick<SearchPage, "hits" | "next" | "scanned" | "leftOut">> {
  const known = await readWanted(runner, query);
  const scale = makeScale(isCurrent ? known : [...known, ...listUnknown(query)], await readSize(runner));
  const items = scale.wanted.map(({ item }) => item);
  const loader = new HitLoader(runner, query, { items: toldItems(scale), need: "any", score: scorer(scale) });
  const scanned = isCurrent ? nothingScanned : await scan(runner, { query, request, loader });
  const any = { ...query, items: [...query.items, items.flat()] };
  const plan = items.length === 0 ? undefined : await planSearch(runner, any, request);
  const page = { scanned: scanned.entries, leftOut: scanned.leftOut };
  if (plan === undefined) return { hits: [], next: null, ...page };
  const found = await liftByLines(runner, await rankSearch(runner, { query, plan, scale }), {
    scale,
    request,
  });
  const ranked = inOrder([...found.map(toRanked), ...placeScanned(scanned.hits)], request.order);
  const originals = new Originals(runner, { query: any, plan, scanned: scanned.hits });
  const load = async ({ entry, score }: Ranked) => {
    const hit = "sessionKey" in entry ? await loader.load(entry, roundScore(score)) : entry;
    const isOver = hit === undefined || scanned.over.has(hit.entry ?? "");
    return isOver || (await originals.haveAnother(hit)) ? undefined : hit;
  };
  return { ...(await fillPage(ranked, { from, limit: request.limit, load })), ...page };
}

const nothingScanned: Scanned = { hits: [], over: new Set(), entries: 0, leftOut: [] };

/** What says little is not worth showing, unless there is nothing else. */
function toldItems({ wanted }: Scale): readonly Item[] {
  const telling = wanted.filter(saysMuch);
  return (telling.length > 0 ? telling : wanted).map(({ item }) => item);
}

async function fillPage(
  ranked: readonly Ranked[],
  {
    from,
    limit = 20,
    load,
  }: {
    readonly from: number;
    readonly limit: number | undefined;
    readonly load: (each: Ranked) => Promise<SearchHit | undefined>;
  },
): Promise<Pick<SearchPage, "hits" | "next">> {
  const hits: SearchHit[] = [];
  for (const [place, each] of ranked.entries()) {
    const hit = place < from ? undefined : await load(each);
    if (hit === undefined) continue;
    if (hits.length >= Math.min(limit, largestPage))
      return { hits, next: renderPlace({ step: 0, key: place }) };
    hits.push(hit);
  }
  return { hits, next: null };
}

function toRanked(entry: ScoredEntry): Ranked {
  return { key: entry.key, score: entry.score, entry };
}

/** A score is told as a whole number. */
function roundScore(score: number): number {
  return Math.round(score * 100);
}

/** Orders by score and then by time, or by time what fits well. */
function inOrder(ranked: readonly Ranked[], order: SearchRequest["order"]): readonly Ranked[] {
  if (order !== "newest")
    return ranked.toSorted((one, other) => other.score - one.score || other.key - one.key);
  const best = Math.max(0, ...ranked.map(({ score }) => score));
  return ranked
    .filter(({ score }) => score >= newestShare * best)
    .toSorted((one, other) => other.key - one.key);
}

/** Gives what was found without the index the places that it will have there. */
function placeScanned(hits: readonly SearchHit[]): readonly Ranked[] {
  return hits.map((hit, index) => ({
    ...{ key: firstKey(hit.at.getTime()) + 2048 + index, score: hit.score / 100 },
    entry: hit,
  }));
}

/** What the index has not knows no forms and no counts: words are looked for there as they are. */
function listUnknown({ words }: Query): readonly Wanted[] {
  return words.map(({ item }) => ({ item, documents: 1, weight: 1 }));
}

function scorer(scale: Scale): NonNullable<Shown["score"]> {
  return (kind, texts) => {
    const { length } = scanTexts(texts);
    return roundScore(scoreOf({ voice: kind, length, ...countInTexts(texts.map(firstPart), scale) }, scale));
  };
}

/** Reads what the index has not. */
async function scan(
  runner: SqlRunner,
  { query, request, loader }: Pick<RankedSearch, "query" | "request"> & { readonly loader: HitLoader },
): Promise<Scanned> {
  const words = query.words.map(({ item }) => item);
  const has = (items: Query["items"], texts: readonly string[]) => listMatches(items, texts).length > 0;
  const fits = (texts: readonly string[]) =>
    query.items.every((item) => has([item], texts)) &&
    (words.length === 0 || has(words, texts)) &&
    !(query.without !== undefined && has([query.without], texts));
  return scanBehind(runner, { query, request, loader, fits });
}
