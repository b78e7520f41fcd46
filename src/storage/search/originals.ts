import type { EntryId, SessionId } from "../../sessions/ids.ts";
import { prefixIn, prefixOf } from "../../sessions/merged-id.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import { searchDialect } from "./choose-dialect.ts";
import type { Search } from "./plan-search.ts";
import type { Indexes } from "./tail-index.ts";

/** Knows what a search finds where it was first recorded: the copies that merges have brought say nothing new. */
export class Originals {
  readonly #indexes: Indexes;
  readonly #search: Search;
  #origins: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(indexes: Indexes, search: Search) {
    this.#indexes = indexes;
    this.#search = search;
  }

  /** Tells whether a hit is a copy of another one of the same search. */
  async haveAnother({ entry }: SearchHit): Promise<boolean> {
    const prefix = entry === null ? undefined : prefixIn(entry);
    if (entry === null || prefix === undefined) return false;
    this.#origins ??= this.#readOrigins();
    const origin = (await this.#origins).get(prefix);
    return origin !== undefined && this.#isFound(origin, entry.slice(prefix.length) as EntryId);
  }

  /** It says the same as its copy, so that only the other conditions have to hold. */
  async #isFound(sessionKey: number, entry: EntryId): Promise<boolean> {
    const { store, parts } = this.#indexes;
    const { before, from, conditions } = this.#search;
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
  async #readOrigins(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#indexes.store.all(
      `SELECT s.key, s.id FROM session s JOIN session_head h ON h.session_key = s.key
       WHERE h.deleted_ms IS NULL`,
    );
    return new Map(rows.map(([key, id]) => [prefixOf(id as SessionId), key as number]));
  }
}
