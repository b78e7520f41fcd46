import { type Joint, joints } from "./joints.ts";
import { findClosing, type Quoting, readOpening } from "./quoting.ts";
import type { Finding, ReaderRule, TextView } from "./rule.ts";
import { readSecretName, type SecretName } from "./secret-name.ts";
import { type Form, isSecretValue, isSeedPhrase } from "./secret-value.ts";
import { nameSuffix, secretWords } from "./secret-words.ts";

const suffix = new RegExp(nameSuffix, "iy");
const compiled = joints.map((joint) => ({ ...joint, pattern: new RegExp(joint.source, "iy") }));
/** The joints that can begin with a character, in their order. */
const byFirst = Map.groupBy(
  compiled.flatMap((joint) => [...joint.first].map((first) => ({ first, joint }))),
  (each) => each.first,
);
const longestName = 64;
const lookedBefore = 40;
const none: readonly Finding[] = [];

/** Values whose name says that they are secret: in source code, settings, environment files, URLs, commands and talk. */
export const assignmentRule: ReaderRule = {
  keywords: secretWords,
  read: (view, keyword) => {
    const { text } = view;
    const nameEnd = endOfMatch(suffix, text, keyword.end) ?? keyword.end;
    const tried = byFirst.get(text[nameEnd] ?? "");
    if (tried === undefined) return none;
    const start = findNameStart(text, keyword.start);
    const name = readSecretName(text.slice(start, keyword.end));
    if (name === undefined) return none;
    const written = text.slice(Math.max(0, start - 1), keyword.end);
    for (const { joint } of tried) {
      if (!fits(joint, written, text, start)) continue;
      const at = endOfMatch(joint.pattern, text, nameEnd);
      const found = at === undefined ? none : readValue(view, at, name, joint.form);
      if (found.length > 0) return found;
    }
    return none;
  },
};

function fits(joint: Joint, written: string, text: string, start: number): boolean {
  if (joint.name?.test(written) === false) return false;
  return joint.before === undefined || joint.before.test(sliceBefore(text, start));
}

/** Returns what stands before a place; the beginning of the text counts as that of a line. */
function sliceBefore(text: string, start: number): string {
  return start < lookedBefore ? `\n${text.slice(0, start)}` : text.slice(start - lookedBefore, start);
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function findNameStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && from - start < longestName && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isNameCharacter(code: number): boolean {
  const letter = code | 0x20;
  return (
    (letter >= 0x61 && letter <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}

/** Reads the value that begins at a place, or the values of a list, and returns those that are what the name promises. */
function readValue(view: TextView, at: number, name: SecretName, form: Form): readonly Finding[] {
  const quoting = readOpening(view.text, at);
  if (quoting !== undefined) return readQuoted(view.text, name, form, quoting);
  if (view.text[at] === "[") return readList(view.text, at + 1, name, form);
  return readBare(view, at, name, form);
}

/** Forms that say the same of a value in quotes as of one without. */
const clearForms: readonly Form[] = ["environment", "field", "flag", "setting", "called"];

function readQuoted(text: string, name: SecretName, form: Form, quoting: Quoting): readonly Finding[] {
  const { start } = quoting;
  const end = findClosing(text, quoting);
  const value = text.slice(start, end);
  if (isSeedPhrase(value)) return [{ kind: "seed-phrase", start, end }];
  if (/\s/.test(value) && (name.madeBy === "machines" || form === "called")) return none;
  if (!isSecretValue(value, name, clearForms.includes(form) ? form : "quoted")) return none;
  return [{ kind: name.kind, start, end }];
}

const listGap = /\s{0,80}/y;
const listComma = /\\{0,7}["'\x60]\s{0,80},\s{0,80}/y;
const mostItems = 64;

/** Reads a list of values in quotes. */
function readList(text: string, from: number, name: SecretName, form: Form): readonly Finding[] {
  const findings: Finding[] = [];
  const itemForm = name.madeBy === "people" ? form : "quoted";
  listGap.lastIndex = from;
  listGap.test(text);
  let at = listGap.lastIndex;
  for (let items = 0; items < mostItems; items += 1) {
    const quoting = readOpening(text, at);
    if (quoting === undefined) break;
    findings.push(...readQuoted(text, name, itemForm, quoting));
    listComma.lastIndex = findClosing(text, quoting);
    if (!listComma.test(text)) break;
    at = listComma.lastIndex;
  }
  return findings;
}

/** Where a value without quotes ends, by its form. */
const ends: Readonly<Record<Form, (view: TextView, at: number) => number>> = {
  environment: (view, at) => view.openEnd(at),
  field: (view, at) => view.openEnd(at),
  flag: (view, at) => view.openEnd(at),
  setting: (view, at) => view.settingEnd(at),
  line: (view, at) => view.lineEnd(at),
  written: (view, at) => view.bareEnd(at),
  told: (view, at) => view.bareEnd(at),
  quoted: (_, at) => at,
  called: (_, at) => at,
};

function readBare(view: TextView, start: number, name: SecretName, form: Form): readonly Finding[] {
  const run = ends[form](view, start);
  if (isCode(view.text, start, run, form)) return none;
  const end = trimEnd(view.text, start, run, form === "told" ? ".,:;!?)" : ".,:;)]}>");
  if (end === start || !isSecretValue(view.text.slice(start, end), name, form)) return none;
  return [{ kind: name.kind, start, end }];
}

const restOfLine = /[ \t]{0,40}(?:#|\r?\n|$)/y;
const longestLine = 128;
/** What an expression of a programming language has, and a password next to never. */
const expression = /^[A-Za-z_$][A-Za-z0-9_$.]{0,80}[(<[]|=>|\|\||&&|\?\?|\?\.|[,;({[]$/;

/** Tells whether what stands without quotes is rather source code than a value. */
function isCode(text: string, start: number, end: number, form: Form): boolean {
  if (form === "written" || form === "told") return text[end] === "(";
  if (form === "setting") return /[,)]/.test(text[end] ?? "") || /[([]/.test(text[end - 1] ?? "");
  if (form !== "line") return false;
  restOfLine.lastIndex = end;
  return !restOfLine.test(text) || end - start > longestLine || expression.test(text.slice(start, end));
}

const mostPunctuation = 8;

/** Leaves out the punctuation that closes a sentence or a list. */
function trimEnd(text: string, start: number, end: number, punctuation: string): number {
  let last = end;
  while (last > start && end - last < mostPunctuation && punctuation.includes(text[last - 1] ?? " "))
    last -= 1;
  return last;
}
