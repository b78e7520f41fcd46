import type { EntryId, SessionId } from "../../sessions/ids.ts";
import { prefixIn, prefixOf } from "../../sessions/merged-id.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { keyLimit } from "./document-key.ts";
import { findEntries } from "./find-documents.ts";
import type { Query } from "./parse-query.ts";
import type { SearchPlan } from "./plan-search.ts";

interface Origin {
  readonly key: number;
  readonly id: SessionId;
}

/** Knows what a search finds where it was first recorded: the copies that merges have brought say nothing new. */
export class Originals {
  readonly #runner: SqlRunner;
  readonly #query: Query;
  readonly #plan: SearchPlan;
  readonly #scanned: readonly SearchHit[];
  #origins: Promise<ReadonlyMap<string, Origin>> | undefined;

  constructor(
    runner: SqlRunner,
    search: { readonly query: Query; readonly plan: SearchPlan; readonly scanned: readonly SearchHit[] },
  ) {
    this.#runner = runner;
    this.#query = search.query;
    this.#plan = search.plan;
    this.#scanned = search.scanned;
  }

  /** Tells whether a hit is a copy of another one of the same search. */
  async haveAnother({ entry }: SearchHit): Promise<boolean> {
    const prefix = entry === null ? undefined : prefixIn(entry);
    if (entry === null || prefix === undefined) return false;
    this.#origins ??= this.#readOrigins();
    const origin = (await this.#origins).get(prefix);
    return origin !== undefined && this.#isFound(origin, entry.slice(prefix.length) as EntryId);
  }

  async #isFound({ key, id }: Origin, entry: EntryId): Promise<boolean> {
    if (this.#scanned.some((hit) => hit.session === id && hit.entry === entry)) return true;
    const rows = await this.#runner.all(
      `SELECT min(key), max(key) FROM search_document
       WHERE session_key = ? AND seq = (SELECT seq FROM entry WHERE session_key = ? AND id = ?)`,
      [key, key, entry],
    );
    const [first, last] = rows[0] ?? [];
    if (typeof first !== "number" || typeof last !== "number") return false;
    // Between these keys only its own documents are.
    const { from, before } = this.#plan;
    const plan = { ...this.#plan, from: Math.max(from, first), before: Math.min(before, last + 1) };
    const look = { plan, items: this.#query.items, marks: [], without: undefined, before: keyLimit };
    const { done } = await findEntries(this.#runner, look, 1).next();
    return done !== true;
  }

  /** Lists the sessions that are still there by what the ids of their copies begin with. */
  async #readOrigins(): Promise<ReadonlyMap<string, Origin>> {
    const rows = await this.#runner.all(
      `SELECT s.key, s.id FROM session s JOIN session_head h ON h.session_key = s.key
       WHERE h.deleted_ms IS NULL`,
    );
    return new Map(
      rows.map(([key, id]) => [prefixOf(id as SessionId), { key: key as number, id: id as SessionId }]),
    );
  }
}
