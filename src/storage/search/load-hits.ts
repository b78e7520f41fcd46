import type { Entry } from "../../sessions/entry.ts";
import { mainStrand } from "../../sessions/ids.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import { readSharers } from "../scrub/read-sharers.ts";
import {
  fromSessionRow,
  readStored,
  type StoredSession,
  sessionColumns,
  sessionTables,
} from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { type EntryTexts, textsOf, titleTexts } from "./entry-texts.ts";
import { firstPart, makeSnippet } from "./make-snippet.ts";
import { weightOf } from "./marks.ts";
import { matchTexts } from "./match-texts.ts";
import { type Query, valuesOf } from "./parse-query.ts";
import { type PlacedEntry, type Ranking, type SearchPlace, sideBySide } from "./rank-entries.ts";
import { placeOf, readPlaces, readTitle } from "./read-behind.ts";
import { placeholders } from "./search-dialect.ts";

/** What is told of an entry, or of a title. */
type Told = Pick<EntryTexts, "kind" | "texts">;

/** Reads what is told of found entries; knows the sessions that it has seen. */
export class HitLoader {
  readonly #runner: SqlRunner;
  readonly #query: Query;
  readonly #ranking: Ranking;
  readonly #sessions = new Map<number, StoredSession>();

  constructor(runner: SqlRunner, query: Query, ranking: Ranking) {
    this.#runner = runner;
    this.#query = query;
    this.#ranking = ranking;
  }

  /**
   * Returns hits, without those that cannot be read, or that nobody has who is looked into.
   *
   * Their score is that of the order in which they were found; without one, it is made from the beginning of long texts.
   */
  async load(
    found: readonly PlacedEntry[],
  ): Promise<readonly { readonly hit: SearchHit; readonly place: SearchPlace }[]> {
    const { read } = this.#ranking;
    await this.#readSessions(found.map(({ sessionKey }) => sessionKey));
    const missing = found.filter((each) => each.seq > 0 && !read.has(placeOf(each)));
    const entries = await readPlaces(this.#runner, missing);
    const hits = [];
    for (const each of found) {
      const session = await this.#findSession(each.sessionKey, each.seq);
      const entry = read.get(placeOf(each)) ?? entries.get(placeOf(each));
      const texts = each.seq === 0 ? await this.#readTitle(each.sessionKey) : entry && textsOf(entry);
      if (session === undefined || texts === undefined) continue;
      const hit = { ...this.#toHit(session, texts, entry), seq: each.seq };
      hits.push({ hit: { ...hit, score: each.score ?? this.#score(texts) }, place: each.place });
    }
    return hits;
  }

  #toHit(session: Session, { kind, texts }: Told, entry: Entry | undefined) {
    const { id, title, project, projectName, client, branch, startedAt } = session;
    return {
      ...{ session: id, title, project, projectName, client, branch },
      ...{ entry: entry?.id ?? null, kind, strand: entry?.strand ?? mainStrand, at: entry?.at ?? startedAt },
      snippet: makeSnippet(this.#ranking.shown, texts),
    };
  }

  /** Returns the title that is indexed; a store that cannot be written may not have it there. */
  async #readTitle(sessionKey: number): Promise<Told> {
    const indexed = await readTitle(this.#runner, sessionKey);
    return titleTexts(indexed || (this.#sessions.get(sessionKey)?.session.title ?? ""));
  }

  #score({ kind, texts }: Told): number {
    const together = sideBySide(this.#query.items);
    const isTogether = together !== undefined && matchTexts([together], texts.map(firstPart)) !== undefined;
    return weightOf(kind) + (isTogether ? 3 : 0);
  }

  /** Returns the session that has an entry: where it was recorded, or a fork when that was deleted. */
  async #findSession(sessionKey: number, seq: number): Promise<Session | undefined> {
    const stored = this.#sessions.get(sessionKey);
    if (stored === undefined) return undefined;
    if (stored.deletedMs === null) return stored.session;
    for (const { session, upTo } of await readSharers(this.#runner, sessionKey)) {
      const fork = upTo >= seq ? await readStored(this.#runner, session) : undefined;
      if (fork !== undefined && isWanted(fork.session, this.#query)) return fork.session;
    }
    return undefined;
  }

  async #readSessions(keys: readonly number[]): Promise<void> {
    const missing = [...new Set(keys)].filter((key) => !this.#sessions.has(key));
    if (missing.length === 0) return;
    const rows = await this.#runner.all(
      `SELECT ${sessionColumns(this.#runner.dialect)} FROM ${sessionTables} WHERE s.key IN (${placeholders(missing)})`,
      missing,
    );
    for (const row of rows) this.#sessions.set(row[0] as number, fromSessionRow(row));
  }
}

/** Tells whether a session is one that the filters of a query mean. */
function isWanted({ client, branch }: Session, query: Query): boolean {
  return (
    valuesOf(query, "client").every((each) => each === client) &&
    valuesOf(query, "branch").every((each) => each === branch)
  );
}
