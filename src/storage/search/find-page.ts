import { AppError } from "../../lib/app-error.ts";
import {
  largestPage,
  type SearchHit,
  type SearchPage,
  type SearchRequest,
} from "../../sessions/search-index.ts";
import { keyLimit } from "./document-key.ts";
import { findEntries } from "./find-documents.ts";
import { loadHits, type Ranking } from "./load-hits.ts";
import { makeCopyCheck } from "./originals.ts";
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
