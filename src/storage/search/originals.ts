import type { EntryId, SessionId } from "../../sessions/ids.ts";
import { prefixIn, prefixOf } from "../../sessions/merged-id.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import { keyLimit } from "./document-key.ts";
import { findEntries } from "./find-documents.ts";
import type { Item } from "./parse-query.ts";
import type { SearchPlan } from "./plan-search.ts";
import type { Indexes } from "./tail-index.ts";

/** Knows what a search finds where it was first recorded: the copies that merges have brought say nothing new. */
export class Originals {
  readonly #indexes: Indexes;
  readonly #plan: SearchPlan;
  readonly #items: readonly Item[];
  #origins: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(indexes: Indexes, plan: SearchPlan, items: readonly Item[]) {
    this.#indexes = indexes;
    this.#plan = plan;
    this.#items = items;
  }

  /** Tells whether a hit is a copy of another one of the same search. */
  async haveAnother({ entry }: SearchHit): Promise<boolean> {
    const prefix = entry === null ? undefined : prefixIn(entry);
    if (entry === null || prefix === undefined) return false;
    this.#origins ??= this.#readOrigins();
    const origin = (await this.#origins).get(prefix);
    return origin !== undefined && this.#isFound(origin, entry.slice(prefix.length) as EntryId);
  }

  async #isFound(sessionKey: number, entry: EntryId): Promise<boolean> {
    const { store, parts } = this.#indexes;
    const found = await store.all("SELECT seq FROM entry WHERE session_key = ? AND id = ?", [
      sessionKey,
      entry,
    ]);
    for (const runner of parts) {
      const rows = await runner.all(
        "SELECT min(key), max(key) FROM search_document WHERE session_key = ? AND seq = ?",
        [sessionKey, found[0]?.[0] ?? -1],
      );
      const [first, last] = rows[0] ?? [];
      if (typeof first !== "number" || typeof last !== "number") continue;
      // Between these keys only its own documents are.
      const { from, before } = this.#plan;
      const plan = { ...this.#plan, from: Math.max(from, first), before: Math.min(before, last + 1) };
      const look = { plan, items: this.#items, without: undefined, before: keyLimit };
      const { done } = await findEntries({ ...this.#indexes, parts: [runner] }, look, 1).next();
      if (done !== true) return true;
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
