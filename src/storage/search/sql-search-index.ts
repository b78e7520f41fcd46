import { AppError } from "../../lib/app-error.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { prefixIn, prefixOf } from "../../sessions/merged-id.ts";
import {
  type IndexReport,
  largestPage,
  type SearchHit,
  type SearchIndex,
  type SearchPage,
  type SearchRequest,
} from "../../sessions/search-index.ts";
import { isUnwritableStore } from "../is-unwritable-store.ts";
import type { SqlDriver, SqlRunner } from "../sql-driver.ts";
import { SearchIndexBroken, StoreIsCorrupt } from "../store-errors.ts";
import { catchUp, clearIndex } from "./catch-up.ts";
import { searchDialect } from "./choose-dialect.ts";
import { keyLimit } from "./document-key.ts";
import { findEntries } from "./find-documents.ts";
import { describeDocuments } from "./index-entries.ts";
import { loadHits, type Ranking } from "./load-hits.ts";
import { parseQuery, type Query } from "./parse-query.ts";
import { planSearch, type Search } from "./plan-search.ts";
import type { Batch } from "./prepare-batch.ts";
import { rankSearch } from "./rank-search.ts";
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

const usualLimit = 20;

/** What a page is made for. */
interface Asked {
  readonly query: Query;
  readonly request: SearchRequest;
}

/** Finds one page of hits, and where the next one begins. */
async function findPage(
  indexes: Indexes,
  search: Search,
  asked: Asked,
): Promise<Pick<SearchPage, "hits" | "next">> {
  const { query, request } = asked;
  const ranking = await rank(indexes, search, asked);
  const isCopy = makeCopyCheck(indexes, search);
  const limit = Math.min(request.limit ?? usualLimit, largestPage);
  const hits: SearchHit[] = [];
  let last = "";
  for (let after = parseCursor(request.cursor); ; ) {
    const count = limit + 1 - hits.length;
    const found = await ranking.next(count, after);
    for await (const { hit, place } of loadHits(indexes.store, { query, ranking, found })) {
      if (await isCopy(hit)) continue;
      if (hits.length === limit) return { hits, next: last };
      hits.push(hit);
      last = String(place);
    }
    if (found.length < count) return { hits, next: null };
    after = found.at(-1)?.place;
  }
}

async function rank(indexes: Indexes, search: Search, { query, request }: Asked): Promise<Ranking> {
  const { match, order = match === "ranked" ? "relevance" : "newest", linesOf } = request;
  const hasWords = query.items.length + query.words.length > 0;
  if (!hasWords || (match !== "ranked" && order === "newest")) return listNewest(indexes, search);
  return rankSearch(indexes, search, { query, order, linesOf });
}

/** Lists the entries that have all items, the newest first. */
function listNewest(indexes: Indexes, search: Search): Ranking {
  return {
    next: async (count, after = keyLimit) => {
      const before = Math.min(search.before, after);
      const found = await findEntries(indexes, { ...search, before }, { limit: count });
      return found.map((entry) => ({ ...entry, place: entry.key, score: 0 }));
    },
    shown: { items: search.items, need: "all" },
    read: new Map(),
  };
}

function parseCursor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,16}$/.test(text) && Number(text) <= keyLimit) return Number(text);
  throw new AppError("The cursor is not one that a search ended with.", {
    kind: "usage",
    code: "bad-cursor",
  });
}

/** Returns what tells whether a hit is a copy of another one of the same search: what merges have copied says nothing new. */
function makeCopyCheck(indexes: Indexes, search: Search): (hit: SearchHit) => Promise<boolean> {
  let origins: Promise<ReadonlyMap<string, number>> | undefined;
  return async ({ entry }) => {
    const prefix = entry === null ? undefined : prefixIn(entry);
    if (entry === null || prefix === undefined) return false;
    origins ??= readOrigins(indexes.store);
    const sessionKey = (await origins).get(prefix);
    if (sessionKey === undefined) return false;
    return isFound(indexes, search, { sessionKey, entry: entry.slice(prefix.length) });
  };
}

/** It says the same as its copy, so that only the other conditions have to hold. */
async function isFound(
  { store, parts }: Indexes,
  { before, from, conditions }: Search,
  { sessionKey, entry }: { readonly sessionKey: number; readonly entry: string },
): Promise<boolean> {
  const [row] = await store.all("SELECT seq FROM entry WHERE session_key = ? AND id = ?", [
    ...[sessionKey, entry],
  ]);
  for (const runner of row === undefined ? [] : parts) {
    const rows = await runner.all(
      `SELECT 1 FROM search_document d ${searchDialect(runner).sessions}
         WHERE d.session_key = ? AND d.seq = ? AND d.key < ? AND d.key >= ?
         ${conditions.map(({ sql }) => `AND ${sql}`).join(" ")} LIMIT 1`,
      [...[sessionKey, row?.[0] ?? 0, before, from], ...conditions.flatMap(({ params }) => params)],
    );
    if (rows.length > 0) return true;
  }
  return false;
}

/** Lists the sessions that are still there by what the ids of their copies begin with. */
async function readOrigins(store: SqlRunner): Promise<ReadonlyMap<string, number>> {
  const rows = await store.all(
    `SELECT s.key, s.id FROM session s JOIN session_head h ON h.session_key = s.key
       WHERE h.deleted_ms IS NULL`,
  );
  return new Map(rows.map(([key, id]) => [prefixOf(id as SessionId), key as number]));
}
