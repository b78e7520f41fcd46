import { usageError } from "../lib/app-error.ts";
import type { SessionPage, SessionQuery } from "../sessions/conversation-log.ts";
import { recordClient } from "../sessions/session.ts";
import { toMs } from "./entry-codec.ts";
import {
  foldTitle,
  fromSessionRow,
  type StoredSession,
  seeWriter,
  sessionColumns,
  sessionTables,
} from "./session-row.ts";
import type { Row, SqlDriver, SqlValue } from "./sql-driver.ts";
import { SessionIsDamaged } from "./store-errors.ts";

interface Condition {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** Returns one page of the sessions that are not deleted. */
export async function listSessions(driver: SqlDriver, query: SessionQuery): Promise<SessionPage> {
  const limit = query.limit ?? 50;
  const conditions = [
    ...describedConditions(query),
    ...rangeConditions(driver, query),
    ...headConditions(query),
  ];
  const place = placeOf(query);
  const where = `WHERE h.deleted_ms IS NULL ${conditions.map((each) => `AND ${each.sql}`).join(" ")}`;
  const newest = `${where} ORDER BY ${place} DESC, h.session_key DESC LIMIT ?`;
  const columns = `${sessionColumns(driver.dialect)}, ${place}`;
  const params = conditions.flatMap((each) => each.params);
  const rows =
    query.id === undefined
      ? // The narrow head table is sorted and cut first: joining before the sort would carry every wide row through it.
        await driver.all(
          `SELECT ${columns} FROM ${sessionTables} WHERE h.session_key IN (
             SELECT h.session_key FROM session_head h
             ${describedConditions(query).length > 0 ? "JOIN session s ON s.key = h.session_key" : ""} ${newest}
           ) ORDER BY ${place} DESC, h.session_key DESC`,
          [...params, limit + 1],
        )
      : // Asked with every transcript: SQLite would plan a statement with a limit anew each time.
        await driver.all(`SELECT ${columns} FROM ${sessionTables} ${where}`, params);
  const shown = rows.slice(0, limit);
  const found = shown.map((row) => readRow(row, query));
  return {
    sessions: await Promise.all(found.filter((each) => typeof each !== "string").map(seeWriter)),
    damaged: found.filter((each) => typeof each === "string"),
    next: rows.length > limit ? makeCursor(shown.at(-1)) : null,
  };
}

/** Returns the id of a session that cannot be read: the others are listed all the same, unless it was asked for itself. */
function readRow(row: Row, query: SessionQuery): StoredSession | string {
  try {
    return fromSessionRow(row);
  } catch (error) {
    if (!(error instanceof SessionIsDamaged) || query.id !== undefined || query.idPrefix !== undefined)
      throw error;
    return String(row[1]);
  }
}

/** A clock may be this much ahead of ours. */
const toleranceMs = 24 * 60 * 60 * 1000;

/** When a session last changed, as far as that can be: the moment by which sessions are sorted. */
function placeOf({ now }: SessionQuery): string {
  if (now === undefined) return "h.updated_ms";
  const latest = toMs(now) + toleranceMs;
  return `CASE WHEN h.updated_ms <= ${latest} THEN h.updated_ms ELSE coalesce((SELECT max(o.updated_ms)
    FROM session_head o WHERE o.session_key < h.session_key AND o.updated_ms <= ${latest}), 0) END`;
}

/** The place is the last column. */
function makeCursor(row: Row | undefined): string | null {
  const [key, place] = [row?.[0], row?.at(-1)];
  return Number.isSafeInteger(key) && Number.isSafeInteger(place) ? `${place}-${key}` : null;
}

function describedConditions(query: SessionQuery): readonly Condition[] {
  const prefix = (column: string, text: string): Condition => ({
    sql: `substr(${column}, 1, ?) = ?`,
    params: [[...text].length, text],
  });
  return [
    ...(query.id === undefined ? [] : [{ sql: "s.id = ?", params: [query.id] }]),
    ...(query.idPrefix === undefined ? [] : [prefix("s.id", query.idPrefix)]),
    ...(query.titlePrefix === undefined ? [] : [prefix("s.title_folded", foldTitle(query.titlePrefix))]),
    ...(query.client === undefined ? [] : [{ sql: "s.client = ?", params: [query.client] }]),
    ...(query.branch === undefined ? [] : [{ sql: "s.branch = ?", params: [query.branch] }]),
    ...(query.tag === undefined ? [] : [tagCondition(query.tag)]),
  ];
}

/** Lets SQLite find the beginning of an id by its index; a server may sort its ids in another order. */
function rangeConditions({ dialect }: SqlDriver, { idPrefix }: SessionQuery): readonly Condition[] {
  if (idPrefix === undefined || dialect.name !== "sqlite") return [];
  return [{ sql: "s.id >= ? AND s.id < ?", params: [idPrefix, `${idPrefix}\u{10ffff}`] }];
}

/** Tags are stored as a JSON list; the quotes around a tag make the match whole. LIKE would ignore case on SQLite. */
function tagCondition(tag: string): Condition {
  return { sql: "replace(s.tags, ?, '') <> s.tags", params: [JSON.stringify(tag)] };
}

/** Asked of the heads one by one, in their order, until there are enough. */
const withoutRecords: Condition = {
  sql: "NOT EXISTS (SELECT 1 FROM session r WHERE r.key = h.session_key AND r.client = ?)",
  params: [recordClient],
};

function headConditions(query: SessionQuery): readonly Condition[] {
  const { id, idPrefix, client, project, status, updatedAfter, updatedBefore, now, cursor } = query;
  const place = placeOf(query);
  return [
    ...(id === undefined && idPrefix === undefined && client === undefined ? [withoutRecords] : []),
    ...(project === undefined
      ? []
      : [{ sql: "h.project_key = (SELECT key FROM project WHERE id = ?)", params: [project] }]),
    ...(query.begun === undefined ? [] : [cameCondition(query.begun, "c.begun_here <> 1")]),
    ...(query.newest === undefined ? [] : [cameCondition(query.newest, "c.seq >= h.head_seq")]),
    ...(status === undefined ? [] : [{ sql: "h.status = ?", params: [status] }]),
    ...(updatedAfter === undefined ? [] : [{ sql: `${place} > ?`, params: [updatedAfter.getTime()] }]),
    ...(updatedBefore === undefined ? [] : [beforeCondition(updatedBefore, now)]),
    ...(cursor === undefined ? [] : [cursorCondition(place, cursor)]),
  ];
}

/** What is known of where a session came from is of those only that came, or were extended, from elsewhere. */
function cameCondition(from: "here" | "elsewhere", how: string): Condition {
  const came = `EXISTS (SELECT 1 FROM replica c WHERE c.session_key = h.session_key AND ${how})`;
  return { sql: from === "here" ? `NOT ${came}` : came, params: [] };
}

function beforeCondition(before: Date, now: Date | undefined): Condition {
  const isBefore = { sql: "h.updated_ms < ?", params: [toMs(before)] };
  if (now === undefined) return isBefore;
  return {
    sql: `${isBefore.sql} AND h.session_key < coalesce(
      (SELECT min(key) FROM session WHERE started_ms BETWEEN ? AND ?), h.session_key + 1)`,
    params: [...isBefore.params, toMs(before), toMs(now)],
  };
}

function cursorCondition(place: string, cursor: string): Condition {
  const [, updatedMs, key] = /^(-?\d{1,16})-(\d{1,16})$/.exec(cursor) ?? [];
  if (updatedMs === undefined || key === undefined) {
    throw usageError("bad-cursor", "The cursor is not one that a list ended with.");
  }
  return { sql: `(${place}, h.session_key) < (?, ?)`, params: [Number(updatedMs), Number(key)] };
}
