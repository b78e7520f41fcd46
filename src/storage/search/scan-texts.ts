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

/** Which characters of ASCII an engine takes for those of words, and which are of identifiers and paths, with what joins them. */
const isOfWord = new Uint8Array(0x1_0000).fill(1);
const isOfPath = new Uint8Array(0x1_0000);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  isOfWord[code] = /[A-Za-z0-9]/.test(character) ? 1 : 0;
  isOfPath[code] = /[A-Za-z0-9_./\\:#$@>-]/.test(character) ? 1 : 0;
}

const outsideAscii = /[^\0-\x7f]/g;
const space = 32;
/** Dashes, arrows and the frames of tables, which are most of what is not ASCII in English; they are in no term. */
const inTerms = String.raw`\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u2060`;
const signs = new RegExp(`[[\u2010-\u2BFF]--[${inTerms}]]`, "gv");

/** Engines take what is not ASCII for letters: what has some of it between two spaces is written as its terms. */
function scanText(whole: string, identifiers: Set<string>): string {
  const text = whole.replace(signs, " ");
  noteIdentifiers(text, identifiers);
  const pieces: string[] = [];
  let copied = 0;
  outsideAscii.lastIndex = 0;
  for (let found = outsideAscii.exec(text); found !== null; found = outsideAscii.exec(text)) {
    let [start, end] = [found.index, found.index + 1];
    while (start > copied && text.charCodeAt(start - 1) > space) start -= 1;
    while (end < text.length && text.charCodeAt(end) > space) end += 1;
    pieces.push(text.slice(copied, start), divide(text.slice(start, end), identifiers).terms);
    outsideAscii.lastIndex = copied = end;
  }
  return withoutLongWords(pieces.length === 0 ? text : [...pieces, text.slice(copied)].join(" "));
}

/** Finds more than there is, because that is several times as fast; `divide` tells. */
const mixedCase = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/g;

/** Notes the identifiers that are ASCII, unless other characters stand beside them. */
function noteIdentifiers(text: string, identifiers: Set<string>): void {
  mixedCase.lastIndex = 0;
  for (let found = mixedCase.exec(text); found !== null; found = mixedCase.exec(text)) {
    const [start, end] = spanOf(isOfPath, text, found.index);
    mixedCase.lastIndex = end;
    if (!(text.charCodeAt(start - 1) > 127 || text.charCodeAt(end) > 127))
      divide(text.slice(start, end), identifiers);
  }
}

function spanOf(isInside: Uint8Array, text: string, at: number): readonly [start: number, end: number] {
  let [start, end] = [at, at + 1];
  // Past the ends of a text there is no number, by which nothing is found fast.
  while (start > 0 && isInside[text.charCodeAt(start - 1)] === 1) start -= 1;
  while (end < text.length && isInside[text.charCodeAt(end)] === 1) end += 1;
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
