import {
  type IndexReport,
  largestPage,
  type SearchHit,
  type SearchIndex,
  type SearchPage,
  type SearchRequest,
} from "../../sessions/search-index.ts";
import { isUnwritableStore } from "../is-unwritable-store.ts";
import type { SqlDriver } from "../sql-driver.ts";
import { SearchIndexBroken, StoreIsCorrupt } from "../store-errors.ts";
import { catchUp, clearIndex } from "./catch-up.ts";
import { searchDialect } from "./choose-dialect.ts";
import { firstKey } from "./document-key.ts";
import { describeDocuments } from "./index-entries.ts";
import { HitLoader } from "./load-hits.ts";
import { matchTexts } from "./match-texts.ts";
import { Originals } from "./originals.ts";
import { parseQuery, type Query } from "./parse-query.ts";
import { planSearch, type SearchPlan } from "./plan-search.ts";
import {
  beginning,
  countSteps,
  parsePlace,
  type RankedEntry,
  rankEntries,
  renderPlace,
  type SearchPlace,
} from "./rank-entries.ts";
import { countBehind, readBehind, readState } from "./read-behind.ts";
import { type Scanned, scanBehind } from "./scan-behind.ts";
import { searchRanked } from "./search-ranked.ts";

const usualLimit = 20;

/** The index over any engine that has a driver. */
export class SqlSearchIndex implements SearchIndex {
  readonly #driver: SqlDriver;

  constructor(driver: SqlDriver) {
    this.#driver = driver;
  }

  catchUp(onProgress: (done: number, total: number) => void = () => undefined): Promise<number> {
    return blamingIndex(() => catchUp(this.#driver, onProgress));
  }

  async rebuild(onProgress: (done: number, total: number) => void = () => undefined): Promise<number> {
    await clearIndex(this.#driver);
    return catchUp(this.#driver, onProgress);
  }

  async describe(): Promise<IndexReport> {
    const [bytes] = await this.#driver.all(searchDialect(this.#driver).askBytes);
    return {
      bytes: Number(bytes?.[0] ?? 0),
      ...(await describeDocuments(this.#driver)),
      behind: await countBehind(this.#driver, await readState(this.#driver)),
    };
  }

  search(request: SearchRequest): Promise<SearchPage> {
    return blamingIndex(() => this.#search(request));
  }

  async #search(request: SearchRequest): Promise<SearchPage> {
    const query = parseQuery(request.query, request.now ?? new Date(), request.match);
    const after = request.cursor === undefined ? beginning : parsePlace(request.cursor);
    const items = [...query.items, ...query.words.map(({ item }) => item)];
    const terms = [...new Set(items.flatMap(([plain]) => plain?.terms ?? []))];
    const isEmpty = items.length === 0 && query.filters.size === 0 && !query.before && !query.after;
    const empty = { hits: [], next: null, terms, scanned: 0, leftOut: [] };
    if (isEmpty) return empty;
    if (request.match === "ranked" && items.length > 0) {
      const isCurrent = await this.#follow();
      const from = request.cursor === undefined ? 0 : after.key;
      return { ...empty, ...(await searchRanked(this.#driver, { query, request, from, isCurrent })) };
    }
    const loader = new HitLoader(this.#driver, query);
    const scanned = (await this.#follow())
      ? undefined
      : await scanBehind(this.#driver, {
          query,
          request,
          loader,
          fits: (texts) => matchTexts(query.items, texts) !== undefined,
        });
    const plan = await planSearch(this.#driver, query, request);
    if (plan === undefined) return empty;
    const page = await this.#fillPage({ query, plan, request, after, loader, scanned });
    return { ...page, terms, scanned: scanned?.entries ?? 0, leftOut: scanned?.leftOut ?? [] };
  }

  /** Brings the index to where the log is; tells whether that was possible. */
  async #follow(): Promise<boolean> {
    if ((await readBehind(this.#driver, await readState(this.#driver), 1)).length === 0) return true;
    try {
      await this.catchUp();
      return true;
    } catch (error) {
      // What the index has not is read then.
      if (isUnwritableStore(error)) return false;
      throw error;
    }
  }

  async #fillPage(work: Work): Promise<Pick<SearchPage, "hits" | "next">> {
    const limit = Math.min(work.request.limit ?? usualLimit, largestPage);
    const placed: Placed[] = [];
    const { query, plan, scanned } = work;
    const originals = new Originals(this.#driver, { query, plan, scanned: scanned?.hits ?? [] });
    for await (const each of this.#merge(work, limit + 1)) {
      if (await originals.haveAnother(each.hit)) continue;
      if (placed.length === limit)
        return { hits: placed.map(({ hit }) => hit), next: renderPlace(lastOf(placed)) };
      placed.push(each);
    }
    return { hits: placed.map(({ hit }) => hit), next: null };
  }

  /** Yields the hits of the index, and between them those that were found without it. */
  async *#merge(work: Work, first: number): AsyncGenerator<Placed> {
    const { query, plan, request, after, loader, scanned } = work;
    const order = request.order ?? "newest";
    const steps = countSteps(query, order);
    const others = placeScanned(scanned, steps).filter(({ place }) => isAfter(place, after));
    for await (const entry of rankEntries(this.#driver, query, plan, { order, after, first })) {
      while (others[0] !== undefined && isAfter(entry, others[0].place)) yield others.shift() as Placed;
      const hit = await loader.load(entry, order === "newest" ? undefined : steps - entry.step);
      if (hit !== undefined && !scanned?.over.has(hit.entry ?? "")) yield { hit, place: entry };
    }
    yield* others;
  }
}

/** Most of what is read here is the index, which can be made anew. */
async function blamingIndex<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreIsCorrupt ? new SearchIndexBroken(error) : error;
  }
}

interface Work {
  readonly query: Query;
  readonly plan: SearchPlan;
  readonly request: SearchRequest;
  readonly after: SearchPlace;
  readonly loader: HitLoader;
  readonly scanned: Scanned | undefined;
}

interface Placed {
  readonly hit: SearchHit;
  readonly place: SearchPlace | RankedEntry;
}

function lastOf(placed: readonly Placed[]): SearchPlace {
  return placed.at(-1)?.place ?? beginning;
}

/** Gives what was found without the index the places that it will have there, newest first. */
function placeScanned(scanned: Scanned | undefined, steps: number): Placed[] {
  const placed = (scanned?.hits ?? []).map((hit, index) => ({
    hit,
    place: { step: Math.max(0, steps - hit.score), key: firstKey(hit.at.getTime()) + 2048 + index },
  }));
  return placed.toSorted((one, other) => (isAfter(one.place, other.place) ? 1 : -1));
}

function isAfter(one: SearchPlace, other: SearchPlace): boolean {
  return one.step > other.step || (one.step === other.step && one.key < other.key);
}
