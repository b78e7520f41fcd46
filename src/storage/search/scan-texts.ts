import { listIdentifiers, listTerms, longest, withoutData } from "./terms.ts";

/** Stands for a gap, so that what is on its two sides does not follow one another; no text has it as a term. */
export const gapMark = "\uE000";

/**
 * Returns what an engine is to divide, at every character of ASCII that is neither a letter nor a digit: no phrase goes
 * from one of these texts into another.
 *
 * Their words are the terms that `listTerms` and `listIdentifiers` list, each identifier once. ASCII is passed on as it is:
 * only patterns look at it. Returns nothing where there are no terms.
 */
export function scanTexts(texts: readonly string[]): readonly string[] {
  const identifiers = new Set<string>();
  const scanned = texts.map((text) => scanText(withoutData(text), identifiers));
  return scanned.some((text) => anyTerm.test(text)) ? [...scanned, ...identifiers] : [];
}

const anyTerm = /[A-Za-z0-9\u0080-\uFFFF]/;

/** Which characters an engine takes for those of words, and which of words, identifiers and paths. */
const isOfWord = new Uint8Array(0x1_0000).fill(1);
const isOfRun = new Uint8Array(0x1_0000).fill(1);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  isOfWord[code] = /[A-Za-z0-9]/.test(character) ? 1 : 0;
  isOfRun[code] = /[A-Za-z0-9_./\\:#$@>-]/.test(character) ? 1 : 0;
}

/** Dashes, arrows and the frames of tables, which are most of what is not ASCII in English; they are in no term. */
const inTerms = String.raw`\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u2060`;
const signs = new RegExp(`[[\u2010-\u2BFF]--[${inTerms}]]`, "gv");

/**
 * Finds the rest of a run that is not ASCII or has words in mixed case; of these more than there are, which `divide` tells.
 * Written so, because a list of choices with one rest takes twice as long.
 */
const rest = String.raw`[A-Za-z0-9_.\/\\:#$@>\u0080-\uFFFF\-]*`;
const telling = new RegExp(String.raw`[^\0-\x7f]${rest}|(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])${rest}`, "g");

/** Notes the identifiers of a text. Engines take what is not ASCII for letters: a run with some of it is written as its terms. */
function scanText(whole: string, identifiers: Set<string>): string {
  const text = whole.replace(signs, " ");
  const pieces: string[] = [];
  let [copied, last] = [0, 0];
  telling.lastIndex = 0;
  for (let found = telling.exec(text); found !== null; found = telling.exec(text)) {
    const end = telling.lastIndex;
    let start = found.index;
    while (start > last && isOfRun[text.charCodeAt(start - 1)] === 1) start -= 1;
    last = end;
    const { terms, isAscii } = divide(text.slice(start, end), identifiers);
    if (isAscii) continue;
    pieces.push(text.slice(copied, start), terms);
    copied = end;
  }
  return withoutLongWords(copied === 0 ? text : pieces.join("") + text.slice(copied));
}

/** Writes long words as they are cut. It looks at one of so many characters, because few words are long. */
function withoutLongWords(text: string): string {
  const pieces: string[] = [];
  // Read once, because texts are of many kinds to the engine.
  const { length } = text;
  let copied = 0;
  for (let at = longest; at < length; at += longest) {
    if (isOfWord[text.charCodeAt(at)] === 0) continue;
    // Past the ends of a text there is no number, by which nothing is found fast.
    let [start, end] = [at, at];
    while (start > 0 && isOfWord[text.charCodeAt(start - 1)] === 1) start -= 1;
    while (end < length && isOfWord[text.charCodeAt(end)] === 1) end += 1;
    if (end - start <= longest) continue;
    pieces.push(text.slice(copied, start), divide(text.slice(start, end), new Set()).terms);
    at = copied = end;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}

interface Divided {
  readonly terms: string;
  readonly isAscii: boolean;
  /** The words that each identifier is made of. */
  readonly identifiers: readonly string[];
}

/** Paths and words of other scripts stand in many entries. */
const divided = new Map<string, Divided>();
const mostDivided = 50_000;
const longestKept = 400;

/** Returns the terms of a text, and notes its identifiers. */
function divide(text: string, identifiers: Set<string>): Divided {
  const known = divided.get(text);
  const found = known ?? divideAnew(text);
  if (known === undefined && text.length <= longestKept) {
    if (divided.size >= mostDivided) divided.clear();
    divided.set(text, found);
  }
  for (const words of found.identifiers) identifiers.add(words);
  return found;
}

const ascii = /^[\0-\x7f]*$/;

function divideAnew(text: string): Divided {
  const terms = listTerms(text);
  const toText = (list: typeof terms) => list.map((term) => term.text).join(" ");
  const identifiers = listIdentifiers(text, terms).map(toText);
  return { terms: toText(terms), isAscii: ascii.test(text), identifiers };
}
