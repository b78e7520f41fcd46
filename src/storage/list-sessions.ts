import type { SessionPage, SessionQuery } from "../conversation/conversation-log.ts";
import { AppError } from "../lib/app-error.ts";
import {
  foldTitle,
  fromSessionRow,
  type StoredSession,
  seeWriter,
  sessionColumns,
  sessionTables,
  updatedColumn,
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
  const conditions = [...describedConditions(query), ...headConditions(query)];
  // The narrow head table is sorted and cut first: joining before the sort would carry every wide row through it.
  const rows = await driver.all(
    `SELECT ${sessionColumns(driver.dialect)} FROM ${sessionTables} WHERE h.session_key IN (
       SELECT h.session_key FROM session_head h ${needsSession(query) ? "JOIN session s ON s.key = h.session_key" : ""}
       WHERE h.deleted_ms IS NULL ${conditions.map((each) => `AND ${each.sql}`).join(" ")}
       ORDER BY h.updated_ms DESC, h.session_key DESC LIMIT ?
     ) ORDER BY h.updated_ms DESC, h.session_key DESC`,
    [...conditions.flatMap((each) => each.params), limit + 1],
  );
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

function makeCursor(row: Row | undefined): string | null {
  const [key, updatedMs] = [row?.[0], row?.[updatedColumn]];
  return Number.isSafeInteger(key) && Number.isSafeInteger(updatedMs) ? `${updatedMs}-${key}` : null;
}

function needsSession(query: SessionQuery): boolean {
  return describedConditions(query).length > 0;
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

/** Tags are stored as a JSON list; the quotes around a tag make the match whole. LIKE would ignore case on SQLite. */
function tagCondition(tag: string): Condition {
  return { sql: "replace(s.tags, ?, '') <> s.tags", params: [JSON.stringify(tag)] };
}

function headConditions(query: SessionQuery): readonly Condition[] {
  const { project, updatedAfter, updatedBefore, cursor } = query;
  return [
    ...(project === undefined
      ? []
      : [{ sql: "h.project_key = (SELECT key FROM project WHERE id = ?)", params: [project] }]),
    ...(updatedAfter === undefined ? [] : [{ sql: "h.updated_ms > ?", params: [updatedAfter.getTime()] }]),
    ...(updatedBefore === undefined ? [] : [{ sql: "h.updated_ms < ?", params: [updatedBefore.getTime()] }]),
    ...(cursor === undefined ? [] : [cursorCondition(cursor)]),
  ];
}

function cursorCondition(cursor: string): Condition {
  const [, updatedMs, key] = /^(-?\d{1,16})-(\d{1,16})$/.exec(cursor) ?? [];
  if (updatedMs === undefined || key === undefined) {
    throw new AppError("The cursor is not one that a list ended with.", {
      kind: "usage",
      code: "bad-cursor",
    });
  }
  return { sql: "(h.updated_ms, h.session_key) < (?, ?)", params: [Number(updatedMs), Number(key)] };
}
