import { type FoundEntry, findEntries, findEntryKeys } from "./find-documents.ts";
import type { Item, Phrase } from "./parse-query.ts";
import type { Search } from "./plan-search.ts";
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
/** Of those that have something of what is wanted, no more are told. */
const mostHolders = 10_000;
/** What stands in fewer of the documents is rare. */
const rareShare = 0.05;

/** Entries that were found by some words, none of them older than a key. */
interface Group {
  readonly item: Item;
  readonly from: number;
}

/** Finds entries that have something of what is wanted, and what each of them has. */
export async function findCandidates(
  indexes: Indexes,
  search: Search,
  scale: Scale,
): Promise<readonly Candidate[]> {
  const { entries, groups } = await collect(indexes, search, scale);
  const found = new Map(entries.map((entry) => [entry.key, { ...entry, has: new Set<number>() }]));
  for (const [index, { item }] of scale.wanted.entries()) {
    for (const { item: other, from } of groups) {
      const holders = await findEntryKeys(indexes, [item, other], { from, limit: mostHolders });
      for (const key of holders) found.get(key)?.has.add(index);
    }
  }
  return [...found.values()];
}

/** Collects all entries that have the rarest words, and of the first word that is in too many of them the newest. */
async function collect(indexes: Indexes, search: Search, { wanted, size }: Scale) {
  const entries = new Map<number, FoundEntry>();
  const whole: Phrase[] = [];
  let cut: readonly Group[] = [];
  for (const { item, isTelling, documents } of groupRarest(wanted)) {
    const room = mostCandidates - entries.size;
    if (room <= 0 || (entries.size > 0 && !isTelling)) break;
    const look = { ...search, items: [...search.items, item] };
    const way = { limit: room, isRare: documents < rareShare * size.documents };
    const found = await findEntries(indexes, look, way);
    for (const entry of found) entries.set(entry.key, entry);
    if (found.length < room) whole.push(...item);
    else cut = [{ item, from: found.at(-1)?.key ?? 0 }];
  }
  const groups: readonly Group[] = [{ item: whole, from: 0 }, ...cut];
  return { entries: [...entries.values()], groups: groups.filter(({ item }) => item.length > 0) };
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
