import { toMilliseconds } from "../../lib/duration.ts";
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

export const filterNames = [
  ...(["client", "project", "branch", "role", "tool", "session", "before", "after"] as const),
];
type FilterName = (typeof filterNames)[number];

export interface Query {
  readonly items: readonly Item[];
  /** All values of each filter, every one of which must hold. */
  readonly filters: ReadonlyMap<FilterName, readonly string[]>;
  readonly before: Date | undefined;
  readonly after: Date | undefined;
}

/** More things at once are not looked for: who pastes a page wants what it begins with. */
const mostItems = 64;
const mostCharacters = 20_000;

/** A filter, a phrase or a word, with what joins them: white space. A quote that is not closed is a character like any other. */
const token = /(?:([a-z]+):)?(?:"([^"]*)"|“([^”]*)”)(\*?)(?=\s|$)|\S+/gu;

/** Reads what a person typed. There is no query that is refused: what has no meaning is plain text. */
export function parseQuery(text: string, now: Date): Query {
  const filters = new Map<FilterName, readonly string[]>();
  const times: { before?: Date; after?: Date } = {};
  const items: Item[] = [];
  for (const found of text.slice(0, mostCharacters).matchAll(token)) {
    const word = readToken(found);
    if (readFilter(word.filter, { filters, times, now })) continue;
    const item = toItem(word);
    if (item.length > 0 && items.length < mostItems) items.push(item);
  }
  return { items, filters, before: times.before, after: times.after };
}

interface Word {
  readonly text: string;
  /** What it is if it is a filter. */
  readonly filter: string;
  readonly end: "prefix" | "whole";
  readonly isQuoted: boolean;
}

function readToken([whole, name = "", straight, curly, star]: RegExpExecArray): Word {
  const quoted = straight ?? curly;
  if (quoted === undefined)
    return { text: whole, filter: whole, end: whole.endsWith("*") ? "prefix" : "whole", isQuoted: false };
  const end = star === "*" ? "prefix" : "whole";
  return { text: `${name} ${quoted}`, filter: `${name}:${quoted}`, end, isQuoted: true };
}

interface Filtering {
  readonly filters: Map<FilterName, readonly string[]>;
  readonly times: { before?: Date; after?: Date };
  readonly now: Date;
}

/** Takes a word as a filter, if it is one. */
function readFilter(text: string, { filters, times, now }: Filtering): boolean {
  const [, named, value = ""] = /^([a-z]+):(.+)$/su.exec(text) ?? [];
  const name = filterNames.find((each) => each === named);
  if (name === undefined || value.trim() === "") return false;
  if (name !== "before" && name !== "after") {
    filters.set(name, [...(filters.get(name) ?? []), value]);
    return true;
  }
  const moment = parseMoment(value, now);
  if (moment === undefined) return false;
  const known = times[name] ?? moment;
  const isStricter = name === "before" ? moment < known : moment > known;
  times[name] = isStricter ? moment : known;
  return true;
}

/** Reads a day, a moment, or how long ago it was. A day is meant as it is on this machine. */
function parseMoment(text: string, now: Date): Date | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return valid(new Date(`${text}T00:00:00`));
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return valid(new Date(text));
  return valid(new Date(now.getTime() - toMilliseconds(text)));
}

/** Returns what a filter must be; none where it is not given. */
export function valuesOf({ filters }: Query, name: FilterName): readonly string[] {
  return filters.get(name) ?? [];
}

function valid(moment: Date): Date | undefined {
  return Number.isNaN(moment.getTime()) ? undefined : moment;
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
