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
import type { FoundEntry } from "./find-documents.ts";
import { makeSnippet, type Shown } from "./make-snippet.ts";
import { type Query, valuesOf } from "./parse-query.ts";
import { placeOf, readPlaces, readTitle } from "./read-behind.ts";
import { placeholders } from "./search-dialect.ts";

/** An entry at its place in an answer. */
interface PlacedEntry extends FoundEntry {
  /** A page begins after one. */
  readonly place: number;
  /** How well it fits; 0 where time alone orders the answer. */
  readonly score: number;
}

/** Entries in the order of an answer, what of them is shown, and those that were read, by `placeOf`. */
export interface Ranking {
  readonly next: (count: number, after: number | undefined) => Promise<readonly PlacedEntry[]>;
  readonly shown: Shown;
  readonly read: ReadonlyMap<string, Entry>;
}

interface Found {
  readonly query: Query;
  readonly ranking: Pick<Ranking, "shown" | "read">;
  readonly found: readonly PlacedEntry[];
}

/** Hits that are read together. */
const atOnce = 32;

/** Yields found entries as hits, without those that cannot be read, or that nobody has who is looked into. */
export async function* loadHits(
  runner: SqlRunner,
  { query, ranking: { shown, read }, found }: Found,
): AsyncGenerator<{ readonly hit: SearchHit; readonly place: number }> {
  for (let from = 0; from < found.length; from += atOnce) {
    const some = found.slice(from, from + atOnce);
    const sessions = await readSessions(runner, new Set(some.map(({ sessionKey }) => sessionKey)));
    const unread = some.filter((each) => each.seq > 0 && !read.has(placeOf(each)));
    const entries = new Map([...read, ...(await readPlaces(runner, unread))]);
    for (const each of some) {
      const stored = sessions.get(each.sessionKey);
      const session = stored && (await findSession(runner, query, stored, each.seq));
      const entry = entries.get(placeOf(each));
      const told = await readTold(runner, stored, each.seq === 0 ? "title" : entry);
      if (session === undefined || told === undefined) continue;
      const { seq, score, place } = each;
      const snippet = makeSnippet(shown, told.texts);
      yield { hit: { ...describeEntry(session, entry), kind: told.kind, seq, snippet, score }, place };
    }
  }
}

function describeEntry(session: Session, entry: Entry | undefined) {
  const { id, title, project, projectName, client, branch, startedAt } = session;
  return {
    ...{ session: id, title, project, projectName, client, branch },
    ...{ entry: entry?.id ?? null, strand: entry?.strand ?? mainStrand, at: entry?.at ?? startedAt },
  };
}

/** Returns the texts of an entry, or of the title that is indexed; a store that cannot be written may not have it there. */
async function readTold(
  runner: SqlRunner,
  stored: StoredSession | undefined,
  entry: Entry | "title" | undefined,
): Promise<EntryTexts | undefined> {
  if (stored === undefined || entry === undefined) return undefined;
  if (entry !== "title") return textsOf(entry);
  return titleTexts((await readTitle(runner, stored.key)) || stored.session.title);
}

/** Returns the session that has an entry: where it was recorded, or a fork when that was deleted. */
async function findSession(
  runner: SqlRunner,
  query: Query,
  stored: StoredSession,
  seq: number,
): Promise<Session | undefined> {
  if (stored.deletedMs === null) return stored.session;
  for (const { session, upTo } of await readSharers(runner, stored.key)) {
    const fork = upTo >= seq ? await readStored(runner, session) : undefined;
    if (fork !== undefined && isWanted(fork.session, query)) return fork.session;
  }
  return undefined;
}

async function readSessions(
  runner: SqlRunner,
  keys: ReadonlySet<number>,
): Promise<ReadonlyMap<number, StoredSession>> {
  const rows = await runner.all(
    `SELECT ${sessionColumns(runner.dialect)} FROM ${sessionTables} WHERE s.key IN (${placeholders([...keys])})`,
    [...keys],
  );
  return new Map(rows.map((row) => [row[0] as number, fromSessionRow(row)]));
}

/** Tells whether a session is one that the filters of a query mean. */
function isWanted({ client, branch }: Session, query: Query): boolean {
  return (
    valuesOf(query, "client").every((each) => each === client) &&
    valuesOf(query, "branch").every((each) => each === branch)
  );
}
