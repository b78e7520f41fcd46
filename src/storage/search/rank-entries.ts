import { AppError } from "../../lib/app-error.ts";
import type { Entry } from "../../sessions/entry.ts";
import type { SearchRequest } from "../../sessions/search-index.ts";
import { longestPhrase } from "./chunks.ts";
import { keyLimit } from "./document-key.ts";
import { type FoundEntry, findEntries } from "./find-documents.ts";
import type { Shown } from "./make-snippet.ts";
import { kindMark, ranks } from "./marks.ts";
import type { Item, Query } from "./parse-query.ts";
import type { Search } from "./plan-search.ts";
import type { Indexes } from "./tail-index.ts";

/** An entry at its place in the answer. */
export interface PlacedEntry extends FoundEntry {
  readonly place: SearchPlace;
  /** How well it fits; undefined where that is not known before its texts are. */
  readonly score: number | undefined;
}

/** What a page is made for, and of at most how many hits. */
export interface Asked {
  readonly query: Query;
  readonly request: SearchRequest;
  readonly after: SearchPlace;
  readonly limit: number;
}

/** Entries in the order of the answer, what of them is shown, and those that were read, by `placeOf`. */
export interface Ranking {
  readonly entries: Iterable<PlacedEntry> | AsyncIterable<PlacedEntry>;
  readonly shown: Shown;
  readonly read: ReadonlyMap<string, Entry>;
}

/** Where an entry stands in the order; a page begins after one. */
export interface SearchPlace {
  /** Which of the steps of the order it belongs to, from 0 on. */
  readonly step: number;
  readonly key: number;
}

/** Returns the entries that have all items, in the order that is wanted: both engines give the same, because only what stands where counts. */
export function rankEntries(indexes: Indexes, search: Search, asked: Asked): Ranking {
  const shown = { items: search.items, need: "all" } as const;
  return { entries: listEntries(indexes, search, asked), shown, read: new Map() };
}

async function* listEntries(
  indexes: Indexes,
  search: Search,
  { request: { order = "newest" }, after, limit }: Asked,
): AsyncGenerator<PlacedEntry> {
  const steps = order === "newest" ? [search] : await listSteps(indexes, search);
  for (const [step, each] of steps.entries()) {
    if (each === undefined || step < after.step) continue;
    const before = Math.min(search.before, step === after.step ? after.key : keyLimit);
    const score = order === "newest" ? undefined : steps.length - step;
    for await (const entry of findEntries(indexes, { ...each, before }, { first: limit + 1 }))
      yield { ...entry, place: { step, key: entry.key }, score };
  }
}

/** Returns what is looked for at each step of the order: what the steps before it find fits better. */
async function listSteps(indexes: Indexes, search: Search): Promise<readonly (Search | undefined)[]> {
  const together = sideBySide(search.items);
  const plain = ranks.map((kinds) => ({ ...search, marks: [...search.marks, kinds.map(kindMark)] }));
  if (together === undefined) return plain;
  // Where words stand side by side nowhere, one look is cheaper than one at each step.
  const { done } = await findEntries(indexes, { ...search, items: [together] }, { first: 1 }).next();
  if (done === true) return [...plain.map(() => undefined), ...plain];
  // What has the words side by side has all of them.
  return [
    ...plain.map((each) => ({ ...each, items: [together] })),
    ...plain.map((each) => ({ ...each, without: together })),
  ];
}

/** Returns several words as the phrase that they are in the query; undefined when there is only one. */
export function sideBySide(items: readonly Item[]): Item | undefined {
  const phrases = items.flatMap(([plain]) => (plain === undefined ? [] : [plain]));
  const terms = phrases.flatMap((phrase) => phrase.terms);
  const isDivided = phrases.slice(0, -1).some(({ isPrefix }) => isPrefix);
  if (phrases.length < 2 || isDivided || terms.length > longestPhrase) return undefined;
  return [{ terms, isPrefix: phrases.at(-1)?.isPrefix === true }];
}

export const beginning: SearchPlace = { step: 0, key: keyLimit };

export function renderPlace({ step, key }: SearchPlace): string {
  return `${step}-${key}`;
}

export function parsePlace(text: string): SearchPlace {
  const [, step, key] = /^(\d)-(\d{1,16})$/.exec(text) ?? [];
  if (step === undefined || Number(key) > keyLimit) {
    throw new AppError("The cursor is not one that a search ended with.", {
      kind: "usage",
      code: "bad-cursor",
    });
  }
  return { step: Number(step), key: Number(key) };
}
