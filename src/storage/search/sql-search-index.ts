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
import { describeDocuments } from "./index-entries.ts";
import { HitLoader } from "./load-hits.ts";
import { makeCopyCheck } from "./originals.ts";
import { parseQuery } from "./parse-query.ts";
import { planSearch, type Search } from "./plan-search.ts";
import type { Batch } from "./prepare-batch.ts";
import { type Asked, beginning, parsePlace, rankEntries, renderPlace } from "./rank-entries.ts";
import { rankSearch } from "./rank-search.ts";
import { countBehind, placeOf, readBehind, readState } from "./read-behind.ts";
import { type Indexes, openTailIndex } from "./tail-index.ts";

const usualLimit = 20;

/** The index over any engine that has a driver. */
export class SqlSearchIndex implements SearchIndex {
  readonly #driver: SqlDriver;

  constructor(driver: SqlDriver) {
    this.#driver = driver;
  }

  catchUp(onProgress: (done: number, total: number) => void = () => undefined): Promise<number> {
    return blamingIndex(() => catchUp({ driver: this.#driver, log: this.#driver, onProgress }));
  }

  async rebuild(onProgress: (done: number, total: number) => void = () => undefined): Promise<number> {
    await clearIndex(this.#driver);
    return catchUp({ driver: this.#driver, log: this.#driver, onProgress });
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
    const page = { hits: [], next: null, terms, scanned: 0, leftOut: [] };
    if (items.length === 0 && query.filters.size === 0 && !query.before && !query.after) return page;
    const limit = Math.min(request.limit ?? usualLimit, largestPage);
    const indexes = await this.#follow();
    const { tail, scanned } = indexes;
    try {
      const leftOut = tail === undefined ? [] : (await describeDocuments(tail)).leftOut;
      const search = await planSearch(this.#driver, query, request);
      const found =
        search === undefined ? page : await findPage(indexes, search, { query, request, after, limit });
      return { ...page, ...found, scanned, leftOut };
    } finally {
      await tail?.[Symbol.asyncDispose]();
    }
  }

  /** Brings the index to where the log is; where that is not possible, what it has not is indexed in memory. */
  async #follow(): Promise<Indexes> {
    const store = this.#driver;
    const over = new Set<string>();
    const alone = { store, parts: [store], over, tail: undefined, scanned: 0 };
    const state = await readState(store);
    if ((await readBehind(store, state, 1)).length === 0) return alone;
    try {
      await this.catchUp();
      return alone;
    } catch (error) {
      if (!isUnwritableStore(error)) throw error;
    }
    const tail = await openTailIndex(store);
    const onBatch = (batch: Batch) => {
      for (const each of batch.over) over.add(placeOf(each));
    };
    const scanned = await catchUp({ driver: tail, log: store, onBatch });
    // Nothing in an index of other rules counts.
    return { store, parts: state.isCurrent ? [store, tail] : [tail], over, tail, scanned };
  }
}

async function findPage(
  indexes: Indexes,
  search: Search,
  asked: Asked,
): Promise<Pick<SearchPage, "hits" | "next">> {
  const { query, request, limit } = asked;
  const isRanked = request.match === "ranked" && query.items.length + query.words.length > 0;
  const ranking = await (isRanked ? rankSearch : rankEntries)(indexes, search, asked);
  const loader = new HitLoader(indexes.store, query, ranking);
  const isCopy = makeCopyCheck(indexes, search);
  const hits: SearchHit[] = [];
  let last = beginning;
  for await (const block of inBlocks(ranking.entries, Math.min(limit + 1, mostLoaded))) {
    for (const { hit, place } of await loader.load(block)) {
      if (await isCopy(hit)) continue;
      if (hits.length === limit) return { hits, next: renderPlace(last) };
      hits.push(hit);
      last = place;
    }
  }
  return { hits, next: null };
}

/** Hits that are read together. */
const mostLoaded = 32;

async function* inBlocks<Value>(
  values: Iterable<Value> | AsyncIterable<Value>,
  size: number,
): AsyncGenerator<readonly Value[]> {
  let block: Value[] = [];
  for await (const value of values) {
    block.push(value);
    if (block.length < size) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

/** Most of what is read here is the index, which can be made anew. */
async function blamingIndex<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreIsCorrupt ? new SearchIndexBroken(error) : error;
  }
}
