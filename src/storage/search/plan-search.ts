import { isName, type SessionId } from "../../sessions/ids.ts";
import type { SearchRequest } from "../../sessions/search-index.ts";
import { readLineage } from "../lineage.ts";
import { readStored } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { firstKey, keyLimit } from "./document-key.ts";
import { allKinds, kindMark, sessionMark } from "./marks.ts";
import { type Query, valuesOf } from "./parse-query.ts";
import type { Condition, Expression } from "./search-dialect.ts";
import { foldTool } from "./tool-names.ts";

/** What is asked of the index. */
export interface Search extends Expression {
  /** What must be true of documents (d), their sessions (s) and the heads of those (h). */
  readonly conditions: readonly Condition[];
  /** The keys between which documents may be. */
  readonly from: number;
  readonly before: number;
}

/** Turns a query into what the index is asked for; undefined when nothing can be found. */
export async function planSearch(
  runner: SqlRunner,
  query: Query,
  request: SearchRequest,
): Promise<Search | undefined> {
  const keysOf = (name: string) =>
    query.filters.flatMap((each) =>
      each.name === name && each.moment !== undefined ? [firstKey(each.moment.getTime())] : [],
    );
  const sessions = await findSessions(runner, valuesOf(query, "session"), request.session);
  if (sessions?.length === 0) return undefined;
  const [role, ...others] = new Set(valuesOf(query, "role").map((each) => each.toLowerCase()));
  const kind = allKinds.find((each) => each === role);
  if (others.length > 0 || (role !== undefined && kind === undefined)) return undefined;
  const isOpen = query.items.length + query.words.length === 0 && kind === undefined;
  return {
    items: query.items,
    without: query.without,
    marks: [
      // Without a word to look for, everything is.
      ...(isOpen ? [allKinds.map(kindMark)] : []),
      ...(kind === undefined ? [] : [[kindMark(kind)]]),
      ...(sessions === undefined ? [] : [[...new Set(sessions.map(({ key }) => sessionMark(key)))]]),
    ],
    conditions: [
      ...describeFilters(query, request),
      ...(sessions === undefined ? [] : [inSessions(sessions)]),
    ],
    from: Math.max(0, ...keysOf("after")),
    before: Math.min(keyLimit, ...keysOf("before")),
  };
}

function describeFilters(query: Query, { project, confinedTo }: SearchRequest): readonly Condition[] {
  const ofProject = "h.project_key IN (SELECT key FROM project WHERE";
  const named = valuesOf(query, "project");
  const ids = [...(named.length === 0 ? [project] : []), confinedTo].filter((each) => each !== undefined);
  return [
    ...named.map((each) => ({ sql: `${ofProject} name = ? OR id = ?)`, params: [each, each] })),
    ...ids.map((each) => ({ sql: `${ofProject} id = ?)`, params: [each] })),
    // A fork that has what a deleted session said is asked when it is known which one.
    ...(["client", "branch"] as const).flatMap((name) =>
      valuesOf(query, name).map((each) => ({
        sql: `(h.deleted_ms IS NOT NULL OR s.${name} = ?)`,
        params: [each],
      })),
    ),
    ...valuesOf(query, "tool").map((each) => ({
      sql: "replace(d.tools, ?, '') <> d.tools",
      params: [` ${foldTool(each)} `],
    })),
  ];
}

interface Stretch {
  readonly key: number;
  readonly from: number;
  readonly to: number;
}

/** Returns what the sessions that are meant are made of; undefined when all are. */
async function findSessions(
  runner: SqlRunner,
  named: readonly string[],
  asked: SessionId | undefined,
): Promise<readonly Stretch[] | undefined> {
  if (named.length === 0 && asked === undefined) return undefined;
  if (!named.every(isName)) return [];
  const begins = named.map(() => " AND substr(s.id, 1, ?) = ?").join("");
  const ids = await runner.all(
    `SELECT s.id FROM session s JOIN session_head h ON h.session_key = s.key
     WHERE h.deleted_ms IS NULL${begins} AND (? = '' OR s.id = ?) ORDER BY s.key DESC LIMIT 50`,
    [...named.flatMap((each) => [each.length, each]), asked ?? "", asked ?? ""],
  );
  const stretches: Stretch[] = [];
  for (const [id] of ids) {
    const stored = await readStored(runner, id as SessionId);
    if (stored === undefined) continue;
    const lineage = await readLineage(runner, stored);
    // Only the session itself has its title.
    stretches.push(...lineage.map((each) => ({ ...each, from: each.key === stored.key ? 0 : each.from })));
  }
  return stretches;
}

function inSessions(stretches: readonly Stretch[]): Condition {
  const own = "(d.session_key = ? AND d.seq >= ? AND d.seq <= ?)";
  return {
    sql: `(${stretches.map(() => own).join(" OR ")})`,
    params: stretches.flatMap(({ key, from, to }) => [key, from, to]),
  };
}
