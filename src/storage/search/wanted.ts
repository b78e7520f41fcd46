import { searchDialect } from "./choose-dialect.ts";
import { countDocuments } from "./find-documents.ts";
import type { Item, Phrase, Query, WantedWord } from "./parse-query.ts";
import { formsOf, stemOf } from "./stem.ts";
import type { Indexes } from "./tail-index.ts";
import type { Term } from "./terms.ts";

/** Something that counts for an entry in which it stands, in one of several forms. */
export interface Wanted {
  readonly item: Item;
  /** In how many documents it stands, about. */
  readonly documents: number;
  /** How much it counts beside others that are as rare: 1, and less for what says little of what is meant. */
  readonly weight: number;
}

/** More are not looked for; the rarest are. */
const mostWanted = 24;
/** Documents are counted up to this number where the index does not keep how many there are. */
const mostCounted = 2000;
/** The forms of one word that are looked for. */
const mostForms = 12;

/** Words of questions that say nothing of what is asked about. */
const stopWords = new Set(
  (
    "a about after again all already also am an and any are as at be because been before being but by can could did do does doing " +
    "for from had has have having he her here him his how i if in into is it its just may me might more most much must my no nor not now " +
    "of off on once only or our out over own shall she should so some still such than that the their them then there these they this those to too " +
    "under until up us very was we were what when where which while who whom whose why will with would you your"
  ).split(" "),
);
const stopWeight = 0.3;
/** What an identifier is made of says less than the identifier. */
const partWeight = 0.5;

/** Tells whether something says what is meant, unlike `why` and `the`. */
export function saysMuch({ weight }: Pick<Wanted, "weight">): boolean {
  return weight > stopWeight;
}

/** A thing to look for, before it is known in how many documents it is. */
interface Draft {
  readonly key: string;
  readonly weight: number;
  /** A word whose forms are looked for. */
  readonly word?: string;
  /** The two words that it may be written as. */
  readonly pair?: readonly [one: string, other: string];
  /** What is looked for as it is. */
  readonly item?: Item;
}

/** Finds out what to look for, and how rare it is: rarest first. What stands nowhere is left out. */
export async function readWanted(indexes: Indexes, query: Query): Promise<readonly Wanted[]> {
  const drafts = new Map<string, Draft>();
  for (const draft of listDrafts(query))
    if (draft.weight > (drafts.get(draft.key)?.weight ?? 0)) drafts.set(draft.key, draft);
  const words = [...drafts.values()].flatMap(({ word }) => word ?? []);
  const known = await readForms(indexes, words);
  const wanted: Wanted[] = [];
  for (const draft of drafts.values()) wanted.push(...(await weigh(indexes, draft, known)));
  const rare = wanted.toSorted((one, other) => one.documents - other.documents).slice(0, mostWanted);
  return rare.some(saysMuch) ? rare : rare.map((each) => ({ ...each, weight: 1 }));
}

function listDrafts({ words, items }: Query): readonly Draft[] {
  const pairs = words.flatMap((word, index) => joinedOf(word, words[index + 1]));
  const required = items.map((item) => ({ key: keyOf(item), weight: 1, item }));
  return [...pairs, ...words.flatMap(draftsOf), ...required];
}

/** `pre commit` is also written `precommit`. */
function joinedOf({ terms: [one, ...more] }: WantedWord, next: WantedWord | undefined): readonly Draft[] {
  const [other, ...others] = next?.terms ?? [];
  if (one === undefined || other === undefined || more.length + others.length > 0) return [];
  if (stopWords.has(one.text) || stopWords.has(other.text)) return [];
  return wordDraft(one.text + other.text, 1).map((draft) => ({ ...draft, pair: [one.text, other.text] }));
}

function draftsOf({ terms, item }: WantedWord): readonly Draft[] {
  const [only, ...others] = terms;
  if (only === undefined) return [];
  if (others.length === 0 && only.parts === undefined && only.closes === undefined)
    return wordDraft(only.text, 1);
  // A text without spaces is looked for whole where it is short, and in any case two characters at a time.
  const whole = terms.length <= 6 ? [{ key: keyOf(item), weight: 1, item }] : [];
  return [...whole, ...terms.flatMap(partsOf)];
}

function partsOf(term: Term): readonly Draft[] {
  if (term.closes !== undefined) return [];
  const parts = (term.parts ?? []).flatMap(({ text }) => wordDraft(text, partWeight));
  return [...wordDraft(term.text, term.middle === undefined ? partWeight : 1), ...parts];
}

function wordDraft(term: string, weight: number): readonly Draft[] {
  const counts = stopWords.has(term) ? stopWeight : weight;
  // Entries are not counted by numbers and ids: these are too many, and rare.
  if (/[0-9]/.test(term)) return [{ key: `=${term}`, weight: counts, item: [toPhrase(term)] }];
  return [{ key: stemOf(term), weight: counts, word: term }];
}

function keyOf(item: Item): string {
  return `=${item.map(({ terms, isPrefix }) => `${terms.join(" ")}${isPrefix ? "*" : ""}`).join("|")}`;
}

/** A word of the index, and in how many entries it stands. */
interface CountedWord {
  readonly term: string;
  readonly documents: number;
}

/** Finds the forms of words that stand somewhere, by the word; those in most entries first. */
async function readForms(
  indexes: Indexes,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly CountedWord[]>> {
  const forms = new Map(words.map((word) => [word, formsOf(word)]));
  const counts = await countTerms(indexes, [...new Set([...forms.values()].flat())]);
  return new Map(
    Array.from(forms, ([word, terms]) => {
      const known = terms.map((term) => ({ term, documents: counts.get(term) ?? 0 }));
      const found = known.filter(({ documents }) => documents > 0);
      const byCount = (one: CountedWord, other: CountedWord) =>
        other.documents - one.documents || (one.term < other.term ? -1 : 1);
      return [word, found.toSorted(byCount).slice(0, mostForms)];
    }),
  );
}

async function countTerms(indexes: Indexes, terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (terms.length === 0) return new Map();
  const counts = new Map<string, number>();
  for (const runner of indexes.parts)
    for (const [term, documents] of await searchDialect(runner).countTerms(runner, terms))
      counts.set(String(term), (counts.get(String(term)) ?? 0) + Number(documents));
  return counts;
}

async function weigh(
  indexes: Indexes,
  { word = "", pair, item, weight }: Draft,
  known: ReadonlyMap<string, readonly CountedWord[]>,
): Promise<readonly Wanted[]> {
  const forms = known.get(word) ?? [];
  const documents = forms.reduce((sum, each) => sum + each.documents, 0);
  if (forms.length > 0) return [{ item: forms.map(({ term }) => toPhrase(term)), documents, weight }];
  const looked = item ?? (pair ? joinForms(pair, known) : await findCompound(indexes, word));
  const counted = looked === undefined ? 0 : await countDocuments(indexes, looked, mostCounted);
  return looked === undefined || counted === 0 ? [] : [{ item: looked, documents: counted, weight }];
}

function toPhrase(...terms: readonly string[]): Phrase {
  return { terms, isPrefix: false };
}

/** `precommit` is also written `pre-commit`: returns the two words of which one that stands nowhere is made. */
async function findCompound(indexes: Indexes, word: string): Promise<Item | undefined> {
  if (!/^[a-z]{6,24}$/.test(word)) return undefined;
  const places = Array.from({ length: word.length - 5 }, (_, index) => index + 3);
  const cuts = places.map((at) => [word.slice(0, at), word.slice(at)] as const);
  const counts = await countTerms(indexes, cuts.flat());
  const cut = cuts.find((parts) => parts.every((part) => counts.has(part)));
  if (cut === undefined) return undefined;
  return joinForms(cut, await readForms(indexes, cut));
}

function joinForms(
  words: readonly [string, string],
  known: ReadonlyMap<string, readonly CountedWord[]>,
): Item | undefined {
  const [first = [], second = []] = words.map((word) => (known.get(word) ?? []).slice(0, 4));
  const phrases = first.flatMap((one) => second.map((other) => toPhrase(one.term, other.term)));
  return phrases.length === 0 ? undefined : phrases;
}
