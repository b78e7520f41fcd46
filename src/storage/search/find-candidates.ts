import { searchDialect } from "./choose-dialect.ts";
import { keyLimit } from "./document-key.ts";
import { type FoundEntry, findEntries, findEntryKeys } from "./find-documents.ts";
import { partMark } from "./marks.ts";
import type { Item, Query } from "./parse-query.ts";
import type { SearchPlan } from "./plan-search.ts";
import type { Scale } from "./score.ts";
import type { Indexes } from "./tail-index.ts";
import { saysMuch, type Wanted } from "./wanted.ts";

/** An entry that has something of what is wanted. */
export interface Candidate extends FoundEntry {
  /** Which of what is wanted stands in it. */
  readonly has: ReadonlySet<number>;
}

/** More entries are not looked at. */
const mostCandidates = 1000;
/** What stands in fewer of the documents is rare. */
const rareShare = 0.05;

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
  indexes: Indexes,
  { query, plan, scale }: { readonly query: Query; readonly plan: SearchPlan; readonly scale: Scale },
): Promise<readonly Candidate[]> {
  const entries = new Map<number, FoundEntry>();
  const groups: Group[] = [];
  const { wanted, size } = scale;
  for (const { item, isTelling, documents } of groupRarest(wanted)) {
    const room = mostCandidates - entries.size;
    if (room <= 0 || (entries.size > 0 && !isTelling)) break;
    const items = [...query.items, item];
    const isRare = documents < rareShare * size.documents;
    const look = { plan, items, marks: [], without: query.without, before: keyLimit, isRare };
    const found = await takeFirst(findEntries(indexes, look, room), room);
    for (const entry of found) entries.set(entry.key, entry);
    groups.push({ item, from: found.length < room ? 0 : (found.at(-1)?.key ?? 0) });
  }
  const candidates = new Map([...entries].map(([key, entry]) => [key, { ...entry, has: new Set<number>() }]));
  const note = (keys: readonly number[], index: number) => {
    for (const key of keys) candidates.get(key)?.has.add(index);
  };
  for (const [index, { item }] of wanted.entries()) note(await findHolders(indexes, item, groups), index);
  return [...candidates.values()];
}

async function takeFirst<Value>(values: AsyncIterable<Value>, count: number): Promise<readonly Value[]> {
  const taken: Value[] = [];
  for await (const value of values) if (taken.push(value) === count) break;
  return taken;
}

/**
 * Joins the rarest words as long as all their documents can be looked at; each of the others stands alone.
 *
 * Those that say little come last: of common words they are worth looking for only where there is nothing else.
 */
function groupRarest(
  wanted: readonly Wanted[],
): readonly { readonly item: Item; readonly isTelling: boolean; readonly documents: number }[] {
  let sum = 0;
  const rare: Item[] = [];
  const others: Wanted[] = [];
  for (const each of wanted) {
    sum += each.documents;
    if (sum <= mostCandidates) rare.push(each.item);
    else others.push(each);
  }
  const alone = others
    .map(({ item, documents, weight }) => ({ item, documents, isTelling: saysMuch({ weight }) }))
    .toSorted((one, other) => Number(other.isTelling) - Number(one.isTelling));
  return rare.length === 0
    ? alone
    : [{ item: rare.flat(), isTelling: true, documents: mostCandidates }, ...alone];
}

/** Finds the keys of the entries of groups that have something. */
async function findHolders(
  indexes: Indexes,
  item: Item,
  groups: readonly Group[],
): Promise<readonly number[]> {
  const keys: number[] = [];
  const limit = 10_000;
  for (const { item: other, from } of groups) {
    const expression = { items: [item, other], marks: [], without: undefined };
    keys.push(...(await findEntryKeys(indexes, expression, { from, limit })));
  }
  // Two words of a long entry may stand in two documents.
  const inParts = { items: [item], marks: [[partMark]], without: undefined };
  if (searchDialect(indexes.store).hasParts)
    keys.push(...(await findEntryKeys(indexes, inParts, { from: 0, limit })));
  return keys;
}
