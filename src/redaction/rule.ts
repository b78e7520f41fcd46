import type { Range } from "../lib/marker.ts";
import { hasVariety } from "./variety.ts";

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
