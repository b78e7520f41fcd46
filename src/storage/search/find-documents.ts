import type { Row, SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { keyLimit } from "./document-key.ts";
import type { Voice } from "./entry-texts.ts";
import type { Item } from "./parse-query.ts";
import type { Search } from "./plan-search.ts";
import { type EntryPlace, placeOf } from "./read-behind.ts";
import type { Condition } from "./search-dialect.ts";
import type { Indexes } from "./tail-index.ts";

/** An entry in the index; the greater its key, the newer it is. */
export interface FoundEntry extends EntryPlace {
  /** The key of its first document. */
  readonly key: number;
  /** Whose words it has, and how many terms. */
  readonly voice: Voice;
  readonly length: number;
}

/** How a search is done. */
interface Way {
  /** So many are asked for. */
  readonly limit: number;
  /** Known to be in few of the documents: it is better to find them all than to go through the newest. */
  readonly isRare?: boolean | undefined;
}

/** Finds the newest entries that have all items, newest first. */
export async function findEntries(
  { parts, over }: Indexes,
  search: Search,
  { limit, isRare }: Way,
): Promise<readonly FoundEntry[]> {
  const found: FoundEntry[] = [];
  for (const runner of parts)
    found.push(...(await askDocuments(runner, search, { limit: limit + over.size, isRare })));
  const wanted = found.filter((entry) => !over.has(placeOf(entry)));
  return wanted.toSorted((one, other) => other.key - one.key).slice(0, limit);
}

async function askDocuments(
  runner: SqlRunner,
  search: Search,
  { limit, isRare }: Way,
): Promise<readonly FoundEntry[]> {
  const dialect = searchDialect(runner);
  const { terms, documents, key } = dialect;
  const conditions = search.conditions.map(({ sql }) => ` AND ${sql}`).join("");
  // Sessions are looked at only where a condition asks of them.
  const sessions = conditions.includes("h.") ? dialect.sessions : "";
  const params = [...search.conditions.flatMap((each) => each.params), limit];
  const rows: Row[] = [];
  for (const fits of dialect.conditionsOf(search)) {
    const within = inRange(runner, search);
    const sql = `SELECT d.key, d.session_key, d.seq, d.kind, d.length FROM ${terms} ${documents} ${sessions}
      WHERE ${fits.sql} AND ${within.sql}${conditions} ORDER BY ${isRare ? dialect.anyOrder : key} DESC LIMIT ?`;
    rows.push(...(await runner.all(sql, [...fits.params, ...within.params, ...params])));
  }
  return rows.map(
    ([key, sessionKey, seq, voice, length]) => ({ key, sessionKey, seq, voice, length }) as FoundEntry,
  );
}

/** Both engines compare numbers as whole ones only when they are told. */
function inRange(runner: SqlRunner, { from, before }: Pick<Search, "from" | "before">): Condition {
  const { key } = searchDialect(runner);
  const number = `CAST(? AS ${runner.dialect.integer})`;
  return { sql: `${key} < ${number} AND ${key} >= ${number}`, params: [before, from] };
}

/** Counts the entries in which something stands, at most up to a limit. */
export async function countDocuments(indexes: Indexes, item: Item, limit: number): Promise<number> {
  return (await findEntryKeys(indexes, [item], { from: 0, limit })).length;
}

/** Finds the keys of entries that have all items, in whatever order. */
export async function findEntryKeys(
  { parts }: Indexes,
  items: readonly Item[],
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly number[]> {
  const keys: number[] = [];
  for (const runner of parts) {
    const { terms, key, conditionsOf } = searchDialect(runner);
    const within = inRange(runner, { from, before: keyLimit });
    for (const fits of conditionsOf({ items, marks: [], without: undefined })) {
      const sql = `SELECT ${key} FROM ${terms} WHERE ${fits.sql} AND ${within.sql} LIMIT ?`;
      const rows = await runner.all(sql, [...fits.params, ...within.params, limit]);
      keys.push(...rows.map(([found]) => found as number));
    }
  }
  return keys.slice(0, limit);
}
