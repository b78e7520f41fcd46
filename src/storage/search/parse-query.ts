import { agePattern, parseMoment } from "../../lib/duration.ts";
import type { SearchMatching } from "../../sessions/search-index.ts";
import { longestPhrase } from "./chunks.ts";
import { keptLength, listTerms, type Term } from "./terms.ts";

/** Terms that follow one another. */
export interface Phrase {
  readonly terms: readonly string[];
  /** Whether the last one may be only the beginning of a term. */
  readonly isPrefix: boolean;
}

/** One thing that must stand in an entry, in one of several forms. */
export type Item = readonly Phrase[];

const filterNames = [
  ...(["client", "project", "branch", "role", "tool", "session", "before", "after"] as const),
];
type FilterName = (typeof filterNames)[number];

/** Returns the filter of a name, in lower case, or of another word for it. */
export function findFilterName(name: string): FilterName | undefined {
  if (name === "since" || name === "until") return name === "since" ? "after" : "before";
  return filterNames.find((each) => each === name);
}

/** A word or a phrase of which no entry must have all; those with more of them come first. */
export interface WantedWord {
  readonly terms: readonly Term[];
  readonly item: Item;
}

/** A condition on what is found, such as `role:user`. */
interface Filter {
  readonly name: FilterName;
  readonly value: string;
  /** Of `before` and `after`. */
  readonly moment?: Date;
}

export interface Query {
  /** What must stand in an entry. */
  readonly items: readonly Item[];
  /** What must not. */
  readonly without: Item | undefined;
  /** What counts for an entry that has it. */
  readonly words: readonly WantedWord[];
  /** All of them must hold. */
  readonly filters: readonly Filter[];
}

/** More things at once are not looked for: who pastes a page wants what it begins with. */
const mostItems = 64;
const mostCharacters = 20_000;

/** A filter, a phrase or a word, with what joins them: white space. A quote that is not closed is a character like any other. */
const token = new RegExp(
  String.raw`([+-]?)(?:([a-z]+):)?(?:"([^"]*)"|“([^”]*)”)(\*?)(?=\s|$)|(?:after|before|since|until):${agePattern}(?=\s|$)|\S+`,
  "gu",
);

/** Divides what a person typed. */
function splitQuery(text: string): readonly Word[] {
  return Array.from(text.slice(0, mostCharacters).matchAll(token), readToken);
}

/** Returns what looks like a filter in a query, with its name in any case. */
export function listFilters(text: string): readonly { readonly name: string; readonly value: string }[] {
  return splitQuery(text).flatMap(({ filter }) => {
    const [, name = "", value = ""] = /^([a-z]+):(.+)$/isu.exec(filter) ?? [];
    return findFilterName(name.toLowerCase()) === undefined ? [] : [{ name, value }];
  });
}

/** Reads what a person typed. There is no query that is refused: what has no meaning is plain text. */
export function parseQuery(text: string, now: Date, matching: SearchMatching = "exact"): Query {
  const read = splitQuery(text).map((word) => ({ word, filter: readFilter(word.filter, now) }));
  const found: Found = { must: [], not: [], may: [] };
  for (const { word } of read.filter(({ filter }) => filter === undefined)) {
    const item = toItem(word);
    const isFull = found.must.length + found.may.length >= mostItems;
    if (item.length > 0 && !isFull) found[matching === "exact" ? "must" : needOf(word, item)].push(word);
  }
  const isOnlyNot = found.must.length + found.may.length === 0;
  if (isOnlyNot) found.may.push(...found.not.splice(0));
  return {
    items: found.must.map(toItem),
    without: found.not.length === 0 ? undefined : found.not.flatMap(toItem),
    words: found.may.map((word) => ({ terms: listTerms(word.text), item: toItem(word) })),
    filters: read.flatMap(({ filter }) => filter ?? []),
  };
}

type Need = "must" | "not" | "may";
type Found = Record<Need, Word[]>;

/** Of words without a sign any counts; -x and --flag are what they are in a shell. */
function needOf({ text, sign, isQuoted }: Word, item: Item): Need {
  if (sign === "-" || (!isQuoted && /^-[\p{L}\p{N}]{3}/u.test(text))) return "not";
  const isPrefix = text.endsWith("*") && item.some((phrase) => phrase.isPrefix);
  return isQuoted || isPrefix || /^\+[\p{L}\p{N}]/u.test(text) ? "must" : "may";
}

interface Word {
  readonly text: string;
  /** What it is if it is a filter. */
  readonly filter: string;
  readonly end: "prefix" | "whole";
  /** What stands before a quotation mark. */
  readonly sign: string;
  readonly isQuoted: boolean;
}

function readToken([whole, sign = "", name = "", straight, curly, star]: RegExpExecArray): Word {
  const quoted = straight ?? curly;
  if (quoted === undefined) {
    const end = whole.endsWith("*") ? "prefix" : "whole";
    return { text: whole, filter: whole, end, sign: "", isQuoted: false };
  }
  const end = star === "*" ? "prefix" : "whole";
  return { text: `${name} ${quoted}`, filter: `${name}:${quoted}`, end, sign, isQuoted: true };
}

/** Reads a word as a filter; undefined if it is none. */
function readFilter(text: string, now: Date): Filter | undefined {
  const [, named = "", value = ""] = /^([a-z]+):(.+)$/su.exec(text) ?? [];
  const name = findFilterName(named);
  if (name === undefined || value.trim() === "") return undefined;
  if (name !== "before" && name !== "after") return { name, value };
  const moment = parseMoment(value, now);
  return moment && { name, value, moment };
}

/** Returns what a filter must be; none where it is not given. */
export function valuesOf({ filters }: Query, name: FilterName): readonly string[] {
  return filters.flatMap((each) => (each.name === name ? [each.value] : []));
}

/** Shorter prefixes would fit nearly everything, unless a word stands before them. */
export const shortestPrefix = 3;

/** Returns the forms in which words are looked for: as they are and, where one is in mixed case, as all that it is made of. */
function toItem({ text, end, isQuoted }: Word): Item {
  const terms = listTerms(text);
  const plain = toPhrase(terms, end);
  if (plain === undefined) return [];
  if (isQuoted || terms.every(({ parts }) => parts === undefined)) return [plain];
  const split = toPhrase(
    terms.flatMap((term) => term.parts ?? [term]),
    end,
  );
  const isUseless = split === undefined || (plain.isPrefix && !split.isPrefix);
  return isUseless ? [plain] : [plain, split];
}

function toPhrase(terms: readonly Term[], end: "prefix" | "whole"): Phrase | undefined {
  const last = terms.at(-1);
  if (last === undefined) return undefined;
  if (terms.length > longestPhrase)
    return { terms: terms.slice(0, longestPhrase).map(({ text }) => text), isPrefix: false };
  // Words of scripts without spaces go on where the query ends.
  if (last.closes === "a run") return { terms: terms.slice(0, -1).map(({ text }) => text), isPrefix: false };
  if (last.closes === "itself") return { terms: terms.map(({ text }) => text), isPrefix: true };
  const isTooShort = terms.length === 1 && last.text.length < shortestPrefix;
  if (end === "whole" || isTooShort) return { terms: terms.map(({ text }) => text), isPrefix: false };
  const texts = [...terms.slice(0, -1).map(({ text }) => text), last.text.slice(0, keptLength)];
  return { terms: texts, isPrefix: true };
}
