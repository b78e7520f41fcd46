import type { Range } from "../lib/marker.ts";

/** How much of a long value is looked at; the rest is like it. */
const looked = 96;

/** In which count a character was last seen: nothing is made or emptied for a count. */
const lastSeen = new Uint32Array(128);
let counts = 0;

/** Returns how many different characters a value has; those beyond ASCII are taken for others now and then. */
export function countDistinct(value: string): number {
  counts = (counts + 1) >>> 0;
  let distinct = 0;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index) & 0x7f;
    if (lastSeen[code] === counts) continue;
    lastSeen[code] = counts;
    distinct += 1;
  }
  return distinct;
}

const filling = /x{6}|0{8}|\*{3}|\.{3}|placeholder|[-_]your|your[-_]?(?:api|key|token|secret|own)/i;

/** How the keys of a vendor's own documents end. */
const documented = /[A-Z0-9]EXAMPLE(?:KEY)?$/;

/** Tells a token from the filling of an example: `ghp_xxxxxxxx`, `sk-your-key-here`. */
export function hasVariety(secret: string): boolean {
  const start = secret.slice(0, looked);
  return (
    countDistinct(start) >= Math.min(8, start.length / 2) && !filling.test(start) && !documented.test(start)
  );
}

/** Tells a token from words and identifiers that begin like it; its prefix speaks for it, so that little is asked. */
export function isTokenLike(secret: string): boolean {
  const { averageLength, numbers } = readRuns(secret);
  return hasVariety(secret) && /[A-Z0-9]/.test(secret) && (averageLength < 4.2 || numbers >= 2);
}

/** Tells a token with a telling prefix from a name that begins with it. */
export function isNoName(secret: string): boolean {
  return hasVariety(secret) && !isJoinedWords(secret);
}

/** Tells whether a value is a name made of words: `sk-my-project`, `AGE-SECRET-KEY-1`. */
export function isJoinedWords(value: string): boolean {
  const words = value.slice(0, looked).split(/[-_.]/);
  return words.length > 1 && words.every((word) => joinedWord.test(word));
}

const joinedWord = /^(?:[A-Z]{0,20}|[A-Z]?[a-z]{1,20}|[A-Z]?[0-9]{1,2})$/;

/** Tells characters drawn by chance from words and identifiers: in these, letters of one case and digits keep together. */
export function isRandom(value: string): boolean {
  const { averageLength, numbers } = readRuns(value);
  // The longer a value, the less it strays from what chance makes on average.
  return averageLength < (value.length < 16 ? 3 : 3.6) || numbers >= (value.length < 20 ? 3 : 2);
}

/** Tells whether a value is too wild for a name that somebody gave. */
export function isWild(value: string): boolean {
  return readRuns(value).averageLength < 2.5;
}

const runs = /[A-Z]?[a-z]{1,96}|[A-Z]{1,96}|[0-9]{1,96}/g;

/** Splits a value as an identifier is split into words. */
function readRuns(value: string): { readonly averageLength: number; readonly numbers: number } {
  const found = value.slice(0, looked).match(runs) ?? [];
  const characters = found.reduce((sum, run) => sum + run.length, 0);
  return {
    averageLength: characters / found.length,
    numbers: found.filter((run) => run.charCodeAt(0) < 0x3a).length,
  };
}

/** Tells whether a value has characters of at least two of: small letters, capital letters, digits. */
export function isMixed(value: string): boolean {
  const start = value.slice(0, looked);
  return [/[a-z]/, /[A-Z]/, /[0-9]/].filter((each) => each.test(start)).length >= 2;
}

/** A secret found in a text. */
export interface Finding extends Range {
  readonly kind: string;
}

/** A kind of secret that has a form of its own. */
export interface PatternRule {
  readonly kind: string;
  /** In lower case; the pattern is tried where one of them begins, or everywhere if there are none. */
  readonly keywords: readonly string[];
  /**
   * The source of the pattern. The secret is all that matches, or the group `secret` at the end of it; a group `head`
   * in a look-behind is the part of the secret that stands before the keyword. Every quantifier has an upper limit.
   */
  readonly source: string;
  /** What every match holds, for a rule without keywords: a text without it need not be gone through at each place. */
  readonly part?: string;
  /** Letters match in both cases. */
  readonly anyCase?: true;
  /** The least that the secret must look like, beyond the pattern. */
  readonly isSecret?: (secret: string) => boolean;
  /** For secrets of one length: how they go on when a line end has come between. */
  readonly wraps?: Wrap;
}

export interface Wrap {
  readonly prefixes: readonly string[];
  /** The class of characters that follow the prefix, and how many. */
  readonly alphabet: string;
  readonly length: number;
}

/** A text, with answers about it that would cost too much to find again at each keyword. */
export interface TextView {
  readonly text: string;
  /** Returns where the run of letters, digits and underscores ends in which the place is. */
  readonly wordEnd: (at: number) => number;
  /** Returns where the run of characters ends that an unquoted value may have. */
  readonly bareEnd: (at: number) => number;
  /** Returns where the run of characters ends that are not white space and not quotes around them. */
  readonly openEnd: (at: number) => number;
  /** Returns where the value of one setting among others ends: before the next one, a quote or white space. */
  readonly settingEnd: (at: number) => number;
  /** Returns where the run of characters ends that are not white space. */
  readonly lineEnd: (at: number) => number;
  /** Returns where the line ends, or the quotes around a header. */
  readonly headerEnd: (at: number) => number;
}

/** A kind of secret that no pattern describes; read where one of the keywords stands. */
export interface ReaderRule {
  readonly keywords: readonly string[];
  readonly read: (view: TextView, keyword: Range) => readonly Finding[];
}

export type Rule = PatternRule | ReaderRule;

/**
 * Where a token may begin: not after a letter or digit, unless that is the end of an escape (`\n`, `%3D`, a terminal
 * colour).
 */
export const edge = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\x1b\[[0-9;]{0,9}m))`;

/**
 * Where a long token may begin: also not after a dash or an underscore within a word.
 *
 * Its body has these characters too, so that a row of such tokens is read once and not from each of them to the end.
 * A marker counts as a word, for it stands where one was.
 */
export const firmEdge = String.raw`(?:(?<![A-Za-z0-9_]|[A-Za-z0-9_]-|:[0-9a-f]{8}\]-)|(?<=\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\x1b\[[0-9;]{0,9}m))`;

/** Where a token ends that has one length only. */
export const end = "(?![A-Za-z0-9])";

export interface TokenForm {
  readonly kind: string;
  readonly prefixes: readonly string[];
  /** The source of what follows the prefix. */
  readonly body: string;
  readonly edge?: string;
  readonly isSecret?: (secret: string) => boolean;
}

/** Makes the rule of tokens that begin with a prefix of their own. */
export function token(form: TokenForm): PatternRule {
  return {
    kind: form.kind,
    keywords: form.prefixes.map((prefix) => prefix.toLowerCase()),
    source: `${form.edge ?? edge}(?:${form.prefixes.map(escapeSource).join("|")})${form.body}`,
    isSecret: form.isSecret ?? hasVariety,
  };
}

export interface FixedForm extends Wrap {
  readonly kind: string;
  /** Shorter ones count too, when the prefix alone is telling. */
  readonly least?: number;
  readonly isSecret?: (secret: string) => boolean;
}

/** Makes the rule of tokens with a prefix and one length; longer ones count too, and those broken by a line end. */
export function fixedToken(form: FixedForm): PatternRule {
  const { kind, prefixes, alphabet, length, isSecret } = form;
  const body = `${alphabet}{${form.least ?? length},${Math.max(255, length)}}`;
  return {
    ...token({ kind, prefixes, body, ...(isSecret && { isSecret }) }),
    wraps: { prefixes, alphabet, length },
  };
}

/** Escapes the characters of a plain text that mean something in a pattern. */
function escapeSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
