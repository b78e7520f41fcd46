import { listIdentifiers, listTerms, longest, withoutData } from "./terms.ts";

/** Stands for a gap, so that what is on its two sides does not follow one another; no text has it as a term. */
export const gapMark = "\uE000";

/** What the index keeps of an entry. */
export interface ScannedTexts {
  /** Its terms in order, between them nothing but characters of ASCII that are neither letters nor digits. */
  readonly text: string;
  /** How many terms the texts have, without the words of identifiers. */
  readonly length: number;
}

/**
 * Makes of texts what an engine takes that divides words itself.
 *
 * These are the terms that `listTerms` and `listIdentifiers` list, each identifier once, but most of a text is handed on
 * as it is: only patterns look at it.
 */
export function scanTexts(texts: readonly string[]): ScannedTexts {
  const identifiers = new Set<string>();
  const scanned = texts.map((text) => scanText(withoutData(text), identifiers));
  const length = scanned.reduce((sum, text) => sum + countTerms(text), 0);
  return { text: [...scanned, ...identifiers].join(` ${gapMark} `), length };
}

/** Which characters an engine takes for those of words, and which are of identifiers and paths, with what joins them. */
const isOfWord = new Uint8Array(0x1_0000).fill(1);
const isOfPath = new Uint8Array(0x1_0000).fill(1);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  isOfWord[code] = /[A-Za-z0-9]/.test(character) ? 1 : 0;
  isOfPath[code] = /[A-Za-z0-9_./\\:#$@>-]/.test(character) ? 1 : 0;
}

/** Counts the terms of a text as an engine divides it. */
function countTerms(text: string): number {
  let count = 0;
  let isInside = 0;
  for (let at = 0; at < text.length; at += 1) {
    const is = isOfWord[text.charCodeAt(at)] === 1 ? 1 : 0;
    count += is & ~isInside;
    isInside = is;
  }
  return count;
}

const outsideAscii = /[^\0-\x7f]/g;
const space = 32;

/** Engines take what is not ASCII for letters: what has some of it between two spaces is written as its terms. */
function scanText(text: string, identifiers: Set<string>): string {
  const pieces: string[] = [];
  let copied = 0;
  outsideAscii.lastIndex = 0;
  for (let found = outsideAscii.exec(text); found !== null; found = outsideAscii.exec(text)) {
    let [start, end] = [found.index, found.index + 1];
    while (start > copied && text.charCodeAt(start - 1) > space) start -= 1;
    while (end < text.length && text.charCodeAt(end) > space) end += 1;
    pieces.push(
      scanAscii(text.slice(copied, start), identifiers),
      divide(text.slice(start, end), identifiers).terms,
    );
    outsideAscii.lastIndex = copied = end;
  }
  const rest = scanAscii(copied === 0 ? text : text.slice(copied), identifiers);
  return pieces.length === 0 ? rest : [...pieces, rest].join(" ");
}

const mixedCase = /[a-z][0-9]*[A-Z]|[A-Z0-9][A-Z][a-z]/g;

function scanAscii(text: string, identifiers: Set<string>): string {
  mixedCase.lastIndex = 0;
  for (let found = mixedCase.exec(text); found !== null; found = mixedCase.exec(text)) {
    const [start, end] = spanOf(isOfPath, text, found.index);
    mixedCase.lastIndex = end;
    divide(text.slice(start, end), identifiers);
  }
  return withoutLongWords(text);
}

function spanOf(isInside: Uint8Array, text: string, at: number): readonly [start: number, end: number] {
  let [start, end] = [at, at + 1];
  while (isInside[text.charCodeAt(start - 1)] === 1) start -= 1;
  while (isInside[text.charCodeAt(end)] === 1) end += 1;
  return [start, end];
}

/** Writes long words as they are cut. It looks at one of so many characters, because few words are long. */
function withoutLongWords(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let at = longest; at < text.length; at += longest) {
    if (isOfWord[text.charCodeAt(at)] === 0) continue;
    const [start, end] = spanOf(isOfWord, text, at);
    if (end - start <= longest) continue;
    pieces.push(text.slice(copied, start), divide(text.slice(start, end), new Set()).terms);
    at = copied = end;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}

interface Divided {
  readonly terms: string;
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

function divideAnew(text: string): Divided {
  const terms = listTerms(text);
  const toText = (list: typeof terms) => list.map((term) => term.text).join(" ");
  return { terms: toText(terms), identifiers: listIdentifiers(text, terms).map(toText) };
}
