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
import { textsOf } from "./entry-texts.ts";
import { firstPart, makeSnippet, type Shown } from "./make-snippet.ts";
import { weightOf } from "./marks.ts";
import { matchTexts } from "./match-texts.ts";
import { type Query, valuesOf } from "./parse-query.ts";
import { type PlacedEntry, type SearchPlace, sideBySide } from "./rank-entries.ts";
import { placeOf, readPlaces } from "./read-behind.ts";
import { placeholders } from "./search-dialect.ts";

/** Reads what is told of found entries; knows the sessions that it has seen. */
export class HitLoader {
  readonly #runner: SqlRunner;
  readonly #query: Query;
  readonly #shown: Shown;
  readonly #read: ReadonlyMap<string, Entry>;
  readonly #sessions = new Map<number, StoredSession>();
  readonly #sharers = new Map<number, Promise<Awaited<ReturnType<typeof readSharers>>>>();

  /** Takes entries that were read before, by `placeOf`. */
  constructor(runner: SqlRunner, query: Query, shown: Shown, read: ReadonlyMap<string, Entry>) {
    this.#runner = runner;
    this.#query = query;
    this.#shown = shown;
    this.#read = read;
  }

  /**
   * Returns hits, without those that cannot be read, or that nobody has who is looked into.
   *
   * Their score is that of the order in which they were found; without one, it is made from the beginning of long texts.
   */
  async load(
    found: readonly PlacedEntry[],
  ): Promise<readonly { readonly hit: SearchHit; readonly place: SearchPlace }[]> {
    await this.#readSessions(found.map(({ sessionKey }) => sessionKey));
    const entries = await readPlaces(
      this.#runner,
      found.filter((each) => each.seq > 0 && !this.#read.has(placeOf(each))),
    );
    const hits = [];
    for (const { place, score, ...each } of found) {
      const session = await this.#findSession(each.sessionKey, each.seq);
      if (session === undefined) continue;
      const entry = this.#read.get(placeOf(each)) ?? entries.get(placeOf(each));
      const hit =
        each.seq === 0 ? await this.#ofTitle(each.sessionKey, session) : this.#ofEntry(session, entry);
      if (hit !== undefined) hits.push({ hit: { ...hit, score: score ?? hit.score }, place });
    }
    return hits;
  }

  #ofEntry(session: Session, entry: Entry | undefined): SearchHit | undefined {
    const found = entry && textsOf(entry);
    if (entry === undefined || found === undefined) return undefined;
    const { kind, texts } = found;
    return {
      ...describeSession(session),
      ...{ seq: entry.seq, entry: entry.id, kind, strand: entry.strand, at: entry.at },
      snippet: makeSnippet(this.#shown, texts),
      score: this.#score(kind, texts),
    };
  }

  async #ofTitle(sessionKey: number, session: Session): Promise<SearchHit> {
    const rows = await this.#runner.all("SELECT title FROM search_progress WHERE session_key = ?", [
      sessionKey,
    ]);
    const title = String(rows[0]?.[0] ?? session.title);
    return {
      ...describeSession(session),
      ...{ seq: 0, entry: null, kind: "title", strand: mainStrand, at: session.startedAt },
      snippet: makeSnippet(this.#shown, [title]),
      score: this.#score("title", [title]),
    };
  }

  #score(kind: SearchHit["kind"], texts: readonly string[]): number {
    const together = sideBySide(this.#query.items);
    const isTogether = together !== undefined && matchTexts([together], texts.map(firstPart)) !== undefined;
    return weightOf(kind) + (isTogether ? 3 : 0);
  }

  /** Returns the session that has an entry: where it was recorded, or a fork when that was deleted. */
  async #findSession(sessionKey: number, seq: number): Promise<Session | undefined> {
    const stored = this.#sessions.get(sessionKey);
    if (stored === undefined) return undefined;
    if (stored.deletedMs === null) return stored.session;
    const sharers = this.#sharers.get(sessionKey) ?? readSharers(this.#runner, sessionKey);
    this.#sharers.set(sessionKey, sharers);
    for (const { session, upTo } of await sharers) {
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

function describeSession({ id, title, project, projectName, client, branch }: Session) {
  return { session: id, title, project, projectName, client, branch };
}
