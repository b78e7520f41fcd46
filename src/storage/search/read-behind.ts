import { AppError } from "../../lib/app-error.ts";
import type { Entry } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { recordClient } from "../../sessions/session.ts";
import { entryColumns, fromRow } from "../entry-codec.ts";
import { askRows } from "../read-entries.ts";
import type { Row, SqlRunner } from "../sql-driver.ts";
import { termsVersion } from "./terms.ts";

/** A session that has something which the index has not. */
export interface Behind {
  readonly sessionKey: number;
  readonly session: SessionId;
  /** The last entry that is indexed; null when nothing is, not even its title. */
  readonly upTo: number | null;
  /** The last entry that another session holds. */
  readonly baseSeq: number;
  readonly headSeq: number;
  /** The title that it was given when it began; null when it had none, or when it is deleted. */
  readonly title: string | null;
  readonly startedMs: number;
  /** Whether it is one that nobody looks into. */
  readonly isRecord: boolean;
}

/** Nothing in a store whose index was made by other rules counts. */
const progress = "LEFT JOIN search_progress p ON p.session_key = h.session_key AND ? = 1";
const isBehind = "(p.session_key IS NULL OR h.head_seq > p.up_to)";

/** What the index is like: by which rules it was made, and how often something was taken out of it. */
export interface IndexState {
  readonly isCurrent: boolean;
  readonly revision: number;
}

export async function readState(runner: SqlRunner): Promise<IndexState> {
  const rows = await runner.all("SELECT version, revision FROM search_state");
  const [version, revision = 0] = rows[0] ?? [];
  return { isCurrent: version === termsVersion, revision: revision as number };
}

/** Returns sessions that the index is behind of, at most so many. */
export async function readBehind(
  runner: SqlRunner,
  { isCurrent }: IndexState,
  limit: number,
): Promise<readonly Behind[]> {
  const rows = await runner.all(
    `SELECT h.session_key, s.id, p.up_to, s.base_seq, h.head_seq,
       CASE WHEN h.deleted_ms IS NULL AND s.title_by = '' THEN s.title END, s.started_ms, s.client
     FROM session_head h JOIN session s ON s.key = h.session_key ${progress}
     WHERE ${isBehind} ORDER BY h.session_key LIMIT ?`,
    [isCurrent ? 1 : 0, limit],
  );
  return rows.map(
    ([sessionKey, session, upTo, baseSeq, headSeq, title, startedMs, client]) =>
      ({
        ...{ sessionKey, session, upTo, baseSeq, headSeq, title, startedMs },
        isRecord: client === recordClient,
      }) as Behind,
  );
}

/** Counts the entries that the index has not. */
export async function countBehind(runner: SqlRunner, { isCurrent }: IndexState): Promise<number> {
  const rows = await runner.all(
    `SELECT coalesce(sum(h.head_seq - coalesce(p.up_to, s.base_seq)), 0), count(*)
     FROM session_head h JOIN session s ON s.key = h.session_key ${progress}
     WHERE ${isBehind} AND s.client <> ?`,
    [isCurrent ? 1 : 0, recordClient],
  );
  return Math.max(Number(rows[0]?.[0] ?? 0), Number(rows[0]?.[1] ?? 0));
}

const entries = "FROM entry e LEFT JOIN body b ON b.key = e.body_key";
const select = `SELECT ${entryColumns} ${entries} WHERE e.session_key = ?`;

/** Reads the next entries of a session, and says up to where that is all; those that are damaged are left out, because nothing can be found in them. */
export async function readNext(
  runner: SqlRunner,
  { sessionKey, session, headSeq }: Behind,
  after: number,
  limit: number,
): Promise<{ readonly entries: readonly Entry[]; readonly upTo: number }> {
  const sql = `${select} AND e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?`;
  const rows = await askRows((most) => runner.all(sql, [sessionKey, after, headSeq, most]), limit);
  const isLast = rows.length === 0 || (rows.length < limit && rows.length !== 1);
  return {
    entries: rows.flatMap((row) => readOrNone(session, row) ?? []),
    upTo: isLast ? headSeq : (rows.at(-1)?.[0] as number),
  };
}

/** Reads the entries of a session just before one of them. */
export async function readBefore(
  runner: SqlRunner,
  { sessionKey, session }: Behind,
  seq: number,
  limit: number,
): Promise<readonly Entry[]> {
  const sql = `${select} AND e.seq <= ? ORDER BY e.seq DESC LIMIT ?`;
  const rows = await runner.all(sql, [sessionKey, seq, limit]);
  return rows.flatMap((row) => readOrNone(session, row) ?? []).toReversed();
}

/** Reads an entry; undefined where it is damaged. */
function readOrNone(session: SessionId, row: Row): Entry | undefined {
  try {
    return fromRow(session, row);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Returns the title with which a session was put into the index. */
export async function readTitle(runner: SqlRunner, sessionKey: number): Promise<string> {
  const sql = "SELECT title FROM search_progress WHERE session_key = ?";
  const rows = await runner.all(sql, [sessionKey]);
  return String(rows[0]?.[0] ?? "");
}

/** Entries of one statement: an engine takes not many of such conditions. */
const atOnce = 32;

/** Where an entry is: its session and its number there. */
export interface EntryPlace {
  readonly sessionKey: number;
  readonly seq: number;
}

export function placeOf({ sessionKey, seq }: EntryPlace): string {
  return `${sessionKey}#${seq}`;
}

/** Reads entries wherever they are, by `placeOf`; those that are damaged or gone are left out. */
export async function readPlaces(
  runner: SqlRunner,
  places: readonly EntryPlace[],
): Promise<ReadonlyMap<string, Entry>> {
  const found = new Map<string, Entry>();
  for (let from = 0; from < places.length; from += atOnce) {
    const some = places.slice(from, from + atOnce);
    const rows = await runner.all(
      `SELECT ${entryColumns}, e.session_key ${entries} WHERE ${some.map(() => "(e.session_key = ? AND e.seq = ?)").join(" OR ")}`,
      some.flatMap(({ sessionKey, seq }) => [sessionKey, seq]),
    );
    for (const row of rows) {
      const entry = readOrNone("" as SessionId, row);
      const sessionKey = row.at(-1) as number;
      if (entry !== undefined) found.set(placeOf({ sessionKey, seq: entry.seq }), entry);
    }
  }
  return found;
}
