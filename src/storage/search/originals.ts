import type { SessionId } from "../../sessions/ids.ts";
import { prefixIn, prefixOf } from "../../sessions/merged-id.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import type { Search } from "./plan-search.ts";
import type { Indexes } from "./tail-index.ts";

/** Returns what tells whether a hit is a copy of another one of the same search: what merges have copied says nothing new. */
export function makeCopyCheck(indexes: Indexes, search: Search): (hit: SearchHit) => Promise<boolean> {
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
