import type { SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { keyLimit } from "./document-key.ts";
import { type FoundEntry, findEntries, findEntryKeys } from "./find-documents.ts";
import { partMark } from "./marks.ts";
import type { Item, Query } from "./parse-query.ts";
import type { SearchPlan } from "./plan-search.ts";
import type { Wanted } from "./wanted.ts";

/** An entry that has something of what is wanted. */
export interface Candidate extends FoundEntry {
  /** Which of what is wanted stands in it. */
  readonly has: ReadonlySet<number>;
}

/** More entries are not looked at. */
const mostCandidates = 1500;

/** Entries that were found by some words, none of them older than a key. */
interface Group {
  readonly item: Item;
  readonly from: number;
}

/**
 * Finds the entries that have something of what is wanted: all that have the rarest words, and of the first word that is
 * in too many of them the newest.
 */
export async function findCandidates(
  runner: SqlRunner,
  {
    query,
    plan,
    wanted,
  }: { readonly query: Query; readonly plan: SearchPlan; readonly wanted: readonly Wanted[] },
): Promise<readonly Candidate[]> {
  const entries = new Map<number, FoundEntry>();
  const groups: Group[] = [];
  for (const item of groupRarest(wanted)) {
    const room = mostCandidates - entries.size;
    if (room <= 0) break;
    const items = [...query.items, item];
    const look = { plan, items, marks: [], without: query.without, before: keyLimit };
    const found = await takeFirst(findEntries(runner, look, room), room);
    for (const entry of found) entries.set(entry.key, entry);
    groups.push({ item, from: found.length < room ? 0 : (found.at(-1)?.key ?? 0) });
  }
  const has = new Map([...entries.keys()].map((key) => [key, new Set<number>()]));
  for (const [index, { item }] of wanted.entries())
    for (const key of await findHolders(runner, item, groups)) has.get(key)?.add(index);
  return [...entries.values()].map((entry) => ({ ...entry, has: has.get(entry.key) ?? new Set() }));
}

async function takeFirst<Value>(values: AsyncIterable<Value>, count: number): Promise<readonly Value[]> {
  const taken: Value[] = [];
  for await (const value of values) if (taken.push(value) === count) break;
  return taken;
}

/** Joins the rarest words as long as all their documents can be looked at; each of the others stands alone. */
function groupRarest(wanted: readonly Wanted[]): readonly Item[] {
  let sum = 0;
  const rare: Item[] = [];
  const others: Item[] = [];
  for (const { item, documents } of wanted) {
    sum += documents;
    (sum <= mostCandidates ? rare : others).push(item);
  }
  return rare.length === 0 ? others : [rare.flat(), ...others];
}

/** Finds the keys of the entries of groups that have something. */
async function findHolders(
  runner: SqlRunner,
  item: Item,
  groups: readonly Group[],
): Promise<readonly number[]> {
  const keys: number[] = [];
  const limit = 10_000;
  for (const { item: other, from } of groups) {
    const expression = { items: [item, other], marks: [], without: undefined };
    keys.push(...(await findEntryKeys(runner, expression, { from, limit })));
  }
  // Two words of a long entry may stand in two documents.
  const inParts = { items: [item], marks: [[partMark]], without: undefined };
  if (searchDialect(runner).hasParts)
    keys.push(...(await findEntryKeys(runner, inParts, { from: 0, limit })));
  return keys;
}
