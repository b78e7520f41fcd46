import { mainStrand, type SessionId } from "../../sessions/ids.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import { entryColumns } from "../entry-codec.ts";
import { readSharers } from "../scrub/read-sharers.ts";
import { readStored, type StoredSession } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { textsOf } from "./entry-texts.ts";
import type { FoundEntry } from "./find-documents.ts";
import { firstPart, makeSnippet, type Shown } from "./make-snippet.ts";
import { weightOf } from "./marks.ts";
import { matchTexts } from "./match-texts.ts";
import { type Query, valuesOf } from "./parse-query.ts";
import { sideBySide } from "./rank-entries.ts";
import { readOrNone } from "./read-behind.ts";

/** Reads what is told of found entries; knows the sessions that it has seen. */
export class HitLoader {
  readonly #runner: SqlRunner;
  readonly #query: Query;
  readonly #shown: Shown;
  readonly #sessions = new Map<number, StoredSession | undefined>();
  readonly #sharers = new Map<number, Promise<Awaited<ReturnType<typeof readSharers>>>>();

  constructor(runner: SqlRunner, query: Query, shown: Shown) {
    this.#runner = runner;
    this.#query = query;
    this.#shown = shown;
  }

  /**
   * Returns a hit; undefined when it cannot be read, or when nobody has it who is looked into.
   *
   * Its score is that of the order in which it was found; without one, it is made from the beginning of long texts.
   */
  async load(
    { sessionKey, seq }: Pick<FoundEntry, "sessionKey" | "seq">,
    score: number | undefined,
  ): Promise<SearchHit | undefined> {
    const session = await this.#findSession(sessionKey, seq);
    if (session === undefined) return undefined;
    const hit =
      seq === 0 ? await this.#ofTitle(sessionKey, session) : await this.#ofEntry(sessionKey, seq, session);
    return hit && { ...hit, score: score ?? hit.score };
  }

  async #ofEntry(sessionKey: number, seq: number, session: Session): Promise<SearchHit | undefined> {
    const rows = await this.#runner.all(
      `SELECT ${entryColumns} FROM entry e LEFT JOIN body b ON b.key = e.body_key
       WHERE e.session_key = ? AND e.seq = ?`,
      [sessionKey, seq],
    );
    const entry = rows[0] === undefined ? undefined : readOrNone(session.id, rows[0]);
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
    const stored = await this.#read(sessionKey);
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

  async #read(key: number): Promise<StoredSession | undefined> {
    if (!this.#sessions.has(key)) {
      const rows = await this.#runner.all("SELECT id FROM session WHERE key = ?", [key]);
      const id = rows[0]?.[0];
      this.#sessions.set(
        key,
        typeof id === "string" ? await readStored(this.#runner, id as SessionId) : undefined,
      );
    }
    return this.#sessions.get(key);
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
