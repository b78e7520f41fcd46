import { findMarkers, type Range } from "../lib/marker.ts";
import { type KeywordScanner, makeKeywordScanner } from "./keyword-scanner.ts";
import type { Finding, PatternRule, Rule, TextView, Wrap } from "./rule.ts";
import { rules } from "./rules.ts";
import { unveil } from "./unveil.ts";

/** Returns the secrets of a text in order; they do not overlap, and none touches a marker that is already there. */
export type SecretFinder = (text: string) => readonly Finding[];

/** A finding, and the place of its rule among the rules. */
interface RankedFinding extends Finding {
  readonly rank: number;
}

interface RankedRule {
  readonly rule: Rule;
  readonly rank: number;
  /** Those that are looked for; all unless told. */
  readonly keywords?: readonly string[];
}

interface Search {
  readonly scan: KeywordScanner;
  readonly keywords: readonly string[];
  /** The rules of each keyword, by its number. */
  readonly rulesOf: readonly (readonly RankedRule[])[];
  readonly swept: readonly RankedRule[];
}

/** Beyond this length it costs less to look for every keyword at once than for one after the other. */
const shortWhole = 16_384;

let findAnywhere: SecretFinder | undefined;

/** Finds secrets; see `SecretFinder`. */
export const findSecrets: SecretFinder = (text) => {
  // Not before the first text, because a start of the program need not wait for it.
  findAnywhere ??= makeFinder(rules.map((rule, rank) => ({ rule, rank })));
  return findAnywhere(text);
};

/**
 * Returns what finds the same as `findSecrets` in each text that stands somewhere in `whole`, and maybe less in others.
 *
 * For a process that looks at one short text only: what cannot be in it is not prepared for.
 */
export function findSecretsWithin(whole: string): SecretFinder {
  if (whole.length > shortWhole) return findSecrets;
  const lower = whole.toLowerCase();
  const possible = rules.flatMap((rule, rank) => {
    if (rule.keywords.length === 0) return [{ rule, rank }];
    const keywords = rule.keywords.filter((keyword) => lower.includes(keyword));
    return keywords.length === 0 ? [] : [{ rule, rank, keywords }];
  });
  return makeFinder(possible);
}

function makeFinder(among: readonly RankedRule[]): SecretFinder {
  const search = prepare(among);
  return (text) => {
    const findings = [...findAll(search, text), ...findVeiled(search, text)];
    if (findings.length === 0) return findings;
    const markers = findMarkers(text);
    return unite(findings.filter((finding) => !touchesAny(finding, markers)));
  };
}

function prepare(all: readonly RankedRule[]): Search {
  const byKeyword = Map.groupBy(
    all.flatMap((ranked) =>
      (ranked.keywords ?? ranked.rule.keywords).map((keyword) => ({ keyword, ranked })),
    ),
    (each) => each.keyword,
  );
  const keywords = [...byKeyword.keys()];
  return {
    keywords,
    scan: makeKeywordScanner(keywords),
    rulesOf: [...byKeyword.values()].map((group) => group.map((each) => each.ranked)),
    swept: all.filter(({ rule }) => rule.keywords.length === 0),
  };
}

function findAll({ scan, rulesOf, keywords, swept }: Search, text: string): readonly RankedFinding[] {
  let view: TextView | undefined;
  // Most texts are short and hold no keyword; to look at them closely would cost more than to scan them.
  const see = () => {
    view ??= viewText(text);
    return view;
  };
  const findings: RankedFinding[] = [];
  for (const { rule, rank } of swept)
    if ("source" in rule)
      for (const found of sweepPattern(rule, text, see)) findings.push({ ...found, rank });
  scan(text, (keyword, start) => {
    const range = { start, end: start + (keywords[keyword]?.length ?? 0) };
    for (const { rule, rank } of rulesOf[keyword] ?? []) {
      const found = "source" in rule ? applyPattern(rule, see(), start) : rule.read(see(), range);
      for (const each of found) findings.push({ ...each, rank });
    }
  });
  return findings;
}

/**
 * Finds what only the plain text shows, and also what both show: without the colours between them, words can grow
 * together, and a secret be no more one.
 */
function findVeiled(search: Search, text: string): readonly RankedFinding[] {
  return unveil(text).flatMap((plain) =>
    findAll(search, plain.text)
      .filter((found) => found.start > 0 || !plain.isCut)
      .map((found) => ({
        ...found,
        start: plain.rangeOf(found.start).start,
        // The place behind a secret may be behind a veil, too: its last character is not.
        end: plain.rangeOf(found.end - 1).end,
      })),
  );
}

/**
 * Tells whether a range shares a character with one of the ranges, which are in order, or stands right before it.
 *
 * What a marker follows without a gap was read with more behind it when the marker was made, and found to be no secret.
 */
function touchesAny(range: Range, ordered: readonly Range[]): boolean {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle]?.end ?? 0) <= range.start) low = middle + 1;
    else high = middle;
  }
  return (ordered[low]?.start ?? Number.POSITIVE_INFINITY) <= range.end;
}

/** Joins findings that overlap, so that no part of any is left; the rule that comes first gives the name. */
function unite(findings: readonly RankedFinding[]): readonly Finding[] {
  const united: RankedFinding[] = [];
  for (const finding of findings.toSorted((one, other) => one.start - other.start)) {
    const last = united.at(-1);
    if (last === undefined || finding.start >= last.end) united.push(finding);
    else united[united.length - 1] = join(last, finding);
  }
  return united;
}

function join(one: RankedFinding, other: RankedFinding): RankedFinding {
  const { kind, rank } = one.rank <= other.rank ? one : other;
  return { kind, rank, start: one.start, end: Math.max(one.end, other.end) };
}

/** What ends a word, a value without quotes, the value of a header, and whatever else is written without a gap. */
const wordStop = /[^A-Za-z0-9_]/g;
const bareStop = /[\s\p{Cc}"'\x60<>(){}\],;|\\]|&(?=&|[\w.%-]{1,64}=)|\[(?!redacted:)/gu;
const headerStop = /[\p{Cc}"'\x60\\]/gu;
/** Quotes and backslashes end a value where something follows that ends a string, not where they stand within it. */
const openStop = /[\s\p{Cc}]|["'\x60](?=[\s,:;)}\]>|&\\]|$)|\\(?=[nrtu"'\x60\\]|$)/gu;
const settingStop = /[\s\p{Cc}"'\x60<>\\]|[&;,](?=[&\s]|[\w.%-]{1,64}=|$)|\)(?=[\s;,)]|$)/gu;
const lineStop = /[\s\p{Cc}]/gu;

/** Looks at a text so that no run of characters is walked through twice, however many places ask for its end. */
function viewText(text: string): TextView {
  return {
    text,
    wordEnd: rememberEnds(text, wordStop),
    bareEnd: rememberEnds(text, bareStop),
    openEnd: rememberEnds(text, openStop),
    settingEnd: rememberEnds(text, settingStop),
    lineEnd: rememberEnds(text, lineStop),
    headerEnd: rememberEnds(text, headerStop),
  };
}

function rememberEnds(text: string, stop: RegExp): (at: number) => number {
  let from = 0;
  let to = 0;
  return (at) => {
    if (at >= from && at < to) return to;
    stop.lastIndex = at;
    from = at;
    to = stop.exec(text)?.index ?? text.length;
    return to;
  };
}

/** Most places hold nothing: no list is made for them. */
const none: readonly Finding[] = [];
const compiled = new Map<PatternRule, RegExp>();

/** Tries the pattern of a rule at the place where one of its keywords stands. */
function applyPattern(rule: PatternRule, view: TextView, at: number): readonly Finding[] {
  const pattern = compile(rule, "y");
  pattern.lastIndex = at;
  const match = pattern.exec(view.text);
  const wrapped =
    rule.wraps && isCut(rule.wraps, view.text, match) && matchWrapped(rule, rule.wraps, view.text, at);
  const found = wrapped || (match === null ? undefined : toFinding(rule, view, match));
  return found === undefined ? none : [found];
}

/** Finds the matches of a rule without keywords in the whole text. */
function sweepPattern(rule: PatternRule, text: string, see: () => TextView): readonly Finding[] {
  if (rule.part !== undefined && !compilePart(rule.part).test(text)) return [];
  const matches = Array.from(text.matchAll(compile(rule, "g")));
  return matches.flatMap((match) => toFinding(rule, see(), match) ?? []);
}

const parts = new Map<string, RegExp>();

function compilePart(source: string): RegExp {
  const known = parts.get(source);
  if (known !== undefined) return known;
  const pattern = new RegExp(source);
  parts.set(source, pattern);
  return pattern;
}

/** Compiles a pattern when it is first needed: most never are. */
function compile(rule: PatternRule, mode: "y" | "g"): RegExp {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const pattern = new RegExp(rule.source, rule.anyCase ? `${mode}i` : mode);
  compiled.set(rule, pattern);
  return pattern;
}

function toFinding(rule: PatternRule, view: TextView, match: RegExpExecArray): Finding | undefined {
  const { head = "", secret = match[0] } = match.groups ?? {};
  const end = match.index + match[0].length;
  const start = end - secret.length - head.length;
  if (rule.isSecret?.(view.text.slice(start, end)) === false) return undefined;
  // What goes on with letters and digits belongs to it, however long the pattern thinks it is.
  return { kind: rule.kind, start, end: Math.max(end, view.wordEnd(end)) };
}

/** How a line may end inside a token, and the next begin: with the sign of a diff or a quotation. */
const lineBreak = /\r?\n[+>|-]?[ \t]{0,8}/y;
const leastBefore = 4;
const mostBreaks = 4;

/** Tells whether a match is missing, or shorter than the token should be and at the end of a line. */
function isCut(wrap: Wrap, text: string, match: RegExpExecArray | null): boolean {
  if (match === null) return true;
  const after = text[match.index + match[0].length];
  return match[0].length < wrap.length && (after === "\n" || after === "\r");
}

/** Finds a token of fixed length that is broken over lines: exactly its characters must follow, line ends apart. */
function matchWrapped(rule: PatternRule, wrap: Wrap, text: string, at: number): Finding | undefined {
  const prefix = wrap.prefixes.find((each) => text.startsWith(each, at));
  if (prefix === undefined || /[A-Za-z0-9]/.test(text[at - 1] ?? " ")) return undefined;
  const start = at + prefix.length;
  const end = wrapEnd(wrap, text, start);
  if (end === undefined || /[A-Za-z0-9]/.test(text[end] ?? " ")) return undefined;
  const secret = prefix + text.slice(start, end).replace(/\s{1,16}/g, "");
  if (rule.isSecret?.(secret) === false) return undefined;
  return { kind: rule.kind, start: at, end };
}

function wrapEnd(wrap: Wrap, text: string, start: number): number | undefined {
  const character = new RegExp(wrap.alphabet, "y");
  let count = 0;
  let breaks = 0;
  for (let at = start; count < wrap.length; ) {
    character.lastIndex = at;
    lineBreak.lastIndex = at;
    if (character.test(text)) {
      count += 1;
      at += 1;
    } else if (count >= leastBefore && breaks < mostBreaks && lineBreak.test(text)) {
      breaks += 1;
      at = lineBreak.lastIndex;
    } else return undefined;
    if (count === wrap.length) return at;
  }
  return undefined;
}
