import type { Finding, PatternRule, TextView, Wrap } from "./rule.ts";

/** Most places hold nothing: no list is made for them. */
const none: readonly Finding[] = [];
const compiled = new Map<PatternRule, RegExp>();

/** Tries the pattern of a rule at the place where one of its keywords stands. */
export function applyPattern(rule: PatternRule, view: TextView, at: number): readonly Finding[] {
  const pattern = compile(rule, "y");
  pattern.lastIndex = at;
  const match = pattern.exec(view.text);
  const wrapped =
    rule.wraps && isCut(rule.wraps, view.text, match) && matchWrapped(rule, rule.wraps, view.text, at);
  const found = wrapped || (match === null ? undefined : toFinding(rule, view, match));
  return found === undefined ? none : [found];
}

/** Finds the matches of a rule without keywords in the whole text. */
export function sweepPattern(rule: PatternRule, text: string, see: () => TextView): readonly Finding[] {
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
