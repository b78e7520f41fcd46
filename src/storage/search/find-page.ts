import { AppError } from "../../lib/app-error.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { prefixIn, prefixOf } from "../../sessions/merged-id.ts";
import {
  largestPage,
  type SearchHit,
  type SearchPage,
  type SearchRequest,
} from "../../sessions/search-index.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { keyLimit } from "./document-key.ts";
import { findEntries } from "./find-documents.ts";
import { loadHits, type Ranking } from "./load-hits.ts";
import type { Query } from "./parse-query.ts";
import type { Search } from "./plan-search.ts";
import { rankSearch } from "./rank-search.ts";
import type { Indexes } from "./tail-index.ts";

const usualLimit = 20;

/** What a page is made for. */
interface Asked {
  readonly query: Query;
  readonly request: SearchRequest;
}

/** Finds one page of hits, and where the next one begins. */
export async function findPage(
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
