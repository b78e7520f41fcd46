import type { IndexReport, SearchIndex, SearchPage, SearchRequest } from "../../sessions/search-index.ts";
import { isUnwritableStore } from "../is-unwritable-store.ts";
import type { SqlDriver } from "../sql-driver.ts";
import { SearchIndexBroken, StoreIsCorrupt } from "../store-errors.ts";
import { catchUp, clearIndex } from "./catch-up.ts";
import { searchDialect } from "./choose-dialect.ts";
import { findPage } from "./find-page.ts";
import { describeDocuments } from "./index-entries.ts";
import { parseQuery } from "./parse-query.ts";
import { planSearch } from "./plan-search.ts";
import type { Batch } from "./prepare-batch.ts";
import { countBehind, placeOf, readBehind, readState } from "./read-behind.ts";
import { type Indexes, openTailIndex } from "./tail-index.ts";

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
    const items = [...query.items, ...query.words.map(({ item }) => item)];
    const terms = [...new Set(items.flatMap(([plain]) => plain?.terms ?? []))];
    const nothing = { hits: [], next: null };
    const page = { ...nothing, terms, scanned: 0, leftOut: [] };
    if (items.length === 0 && query.filters.length === 0) return page;
    const indexes = await this.#follow();
    const { tail, scanned } = indexes;
    try {
      const leftOut = tail === undefined ? [] : (await describeDocuments(tail)).leftOut;
      const search = await planSearch(this.#driver, query, request);
      const found = search === undefined ? nothing : await findPage(indexes, search, { query, request });
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

/** Most of what is read here is the index, which can be made anew. */
async function blamingIndex<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreIsCorrupt ? new SearchIndexBroken(error) : error;
  }
}
