import type { SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { keyLimit } from "./document-key.ts";
import type { Voice } from "./entry-texts.ts";
import { partMark } from "./marks.ts";
import type { Item } from "./parse-query.ts";
import type { Search } from "./plan-search.ts";
import { placeOf } from "./read-behind.ts";
import { type Expression, renderExpression } from "./search-dialect.ts";
import type { Indexes } from "./tail-index.ts";

/** An entry in the index; the greater its key, the newer it is. */
export interface FoundEntry {
  /** The key of its first document. */
  readonly key: number;
  readonly sessionKey: number;
  readonly seq: number;
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
    found.push(...(await findIn(runner, search, { limit: limit + over.size, isRare })));
  return newestOf(found.filter((entry) => !over.has(placeOf(entry)))).slice(0, limit);
}

async function findIn(runner: SqlRunner, search: Search, way: Way): Promise<readonly FoundEntry[]> {
  const excluded = await findExcluded(runner, search);
  const isLeft = ({ key }: FoundEntry) => !excluded.has(key);
  const across = (await findAcross(runner, search)).filter(isLeft);
  const whole: FoundEntry[] = [];
  for (let { before } = search; ; ) {
    const page = await askDocuments(runner, { ...search, before }, way);
    // An entry may have several documents.
    whole.push(...newestOf(page.filter(isLeft)));
    if (page.length < way.limit || whole.length >= way.limit) return [...whole, ...across];
    before = page.at(-1)?.key ?? 0;
  }
}

/** Returns entries newest first, each once. */
function newestOf(entries: readonly FoundEntry[]): readonly FoundEntry[] {
  const unique = new Map(entries.map((entry) => [entry.key, entry]));
  return [...unique.values()].toSorted((one, other) => other.key - one.key);
}

async function askDocuments(
  runner: SqlRunner,
  search: Search,
  { limit, isRare }: Way,
): Promise<readonly FoundEntry[]> {
  const dialect = searchDialect(runner);
  const conditions = search.conditions.map(({ sql }) => ` AND ${sql}`).join("");
  // Sessions are looked at only where a condition asks of them.
  const sessions = conditions.includes("h.") ? dialect.sessions : "";
  const rows = await runner.all(
    `SELECT d.key - d.part, d.session_key, d.seq, d.kind, d.length FROM ${dialect.tables} ${sessions}
     WHERE ${dialect.matches}${conditions} ORDER BY ${isRare ? dialect.anyOrder : dialect.order} DESC LIMIT ?`,
    [
      ...[renderExpression(dialect, search), search.before, search.from],
      ...search.conditions.flatMap(({ params }) => params),
      limit,
    ],
  );
  return rows.map(
    ([key, sessionKey, seq, voice, length]) => ({ key, sessionKey, seq, voice, length }) as FoundEntry,
  );
}

/** Finds the entries of several documents in one of which an item stands. */
async function findParts(runner: SqlRunner, search: Search, item: Item): Promise<readonly FoundEntry[]> {
  if (!searchDialect(runner).hasParts) return [];
  const marks = [...search.marks, [partMark]];
  const everything = 1_000_000;
  return askDocuments(runner, { ...search, items: [item], without: undefined, marks }, { limit: everything });
}

/** What is not wanted may stand in another document of the same entry. */
async function findExcluded(runner: SqlRunner, search: Search): Promise<ReadonlySet<number>> {
  const found = search.without === undefined ? [] : await findParts(runner, search, search.without);
  return new Set(found.map(({ key }) => key));
}

/** Finds the entries of several documents of which none has all items, but all together have. */
async function findAcross(runner: SqlRunner, search: Search): Promise<readonly FoundEntry[]> {
  const [first, ...others] = search.items;
  if (first === undefined || others.length === 0) return [];
  let found = await findParts(runner, search, first);
  for (const item of others) {
    if (found.length === 0) return [];
    const here = new Set((await findParts(runner, search, item)).map(({ key }) => key));
    found = found.filter(({ key }) => here.has(key));
  }
  return found;
}

/** Counts the documents in which something stands, at most up to a limit. */
export async function countDocuments(indexes: Indexes, item: Item, limit: number): Promise<number> {
  const expression = { items: [item], marks: [], without: undefined };
  // Several documents may be of one entry.
  return Math.min(limit, (await findEntryKeys(indexes, expression, { from: 0, limit: 2 * limit })).size);
}

/** Finds the keys of entries that fit an expression, in whatever order. */
export async function findEntryKeys(
  { parts }: Indexes,
  expression: Expression,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<ReadonlySet<number>> {
  const keys = new Set<number>();
  for (const runner of parts) {
    const dialect = searchDialect(runner);
    const asked = renderExpression(dialect, expression);
    const rows = await runner.all(`${dialect.selectKeys} LIMIT ?`, [asked, keyLimit, from, limit]);
    for (const [key] of rows) keys.add(key as number);
  }
  return keys;
}
