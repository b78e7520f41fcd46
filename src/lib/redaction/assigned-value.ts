import type { Finding, TextView } from "./rule.ts";
import type { SecretName } from "./secret-name.ts";
import { type Form, isSecretValue, isSeedPhrase } from "./secret-value.ts";

/** The prefixes of string literals, the backslashes of nested JSON, and a quote. */
const opening = /[rbfu@$]{0,2}(?<slashes>\\{0,3})(?<quote>["'\x60])/iy;

/** Reads the value that begins at a place, and returns it if it is what the name promises. */
export function readValue(view: TextView, at: number, name: SecretName, form: Form): Finding | undefined {
  opening.lastIndex = at;
  const groups = opening.exec(view.text)?.groups;
  if (groups === undefined) return needsQuotes(form) ? undefined : readBare(view, at, name, form);
  const { slashes = "", quote = "" } = groups;
  return readQuoted(view.text, opening.lastIndex, name, { form, delimiter: slashes + quote });
}

function needsQuotes(form: Form): boolean {
  return form === "quoted" || form === "called";
}

interface Quoting {
  readonly form: Form;
  readonly delimiter: string;
}

function readQuoted(text: string, start: number, name: SecretName, quoting: Quoting): Finding | undefined {
  const end = findDelimiter(text, start, quoting.delimiter);
  const value = text.slice(start, end);
  if (isSeedPhrase(value)) return { kind: "seed-phrase", start, end };
  const form = quoting.form === "environment" || quoting.form === "called" ? quoting.form : "quoted";
  if (/\s/.test(value) && (form !== "environment" || name.madeBy === "machines")) return undefined;
  if (!isSecretValue(value, name, form)) return undefined;
  return { kind: name.kind, start, end };
}

/** Returns where the delimiter stands next, or the line ends: what is cut off is read to its end. */
function findDelimiter(text: string, from: number, delimiter: string): number {
  const isEscaped = delimiter.length > 1;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\n") return at;
    if (text.startsWith(delimiter, at)) return at;
    if (character === "\\" && !isEscaped) at += 1;
  }
  return text.length;
}

function readBare(view: TextView, start: number, name: SecretName, form: Form): Finding | undefined {
  const run = form === "environment" ? view.openEnd(start) : view.bareEnd(start);
  if (form !== "environment" && view.text[run] === "(") return undefined;
  const end = trimEnd(view.text, start, run, form === "told" ? ".,:;!?)" : ".,:;)]}>");
  if (end === start || !isSecretValue(view.text.slice(start, end), name, form)) return undefined;
  return { kind: name.kind, start, end };
}

const mostPunctuation = 8;

/** Leaves out the punctuation that closes a sentence or a list. */
function trimEnd(text: string, start: number, end: number, punctuation: string): number {
  let last = end;
  while (last > start && end - last < mostPunctuation && punctuation.includes(text[last - 1] ?? " "))
    last -= 1;
  return last;
}
