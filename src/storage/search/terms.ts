import { quickHash } from "../../lib/quick-hash.ts";

/** The most words that an identifier is taken apart into. */
const longestRun = 128;

/** Changes with everything that makes other terms of the same text: an index of another version is made anew. */
export const termsVersion = 6;

/** A word as it is compared, and where it stands. */
export interface Term {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Where the first of two characters ends that are indexed together. */
  readonly middle?: number;
  /** The words that an identifier such as `readEntries` is made of. */
  readonly parts?: readonly Term[];
  /** The last character of a text without spaces; those before it are indexed two by two. */
  readonly closes?: "a run" | "itself";
}

const raw = String.raw;
const eastAsian = raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}`;
const southEastAsian = raw`\p{scx=Thai}\p{scx=Laoo}\p{scx=Mymr}\p{scx=Khmr}\p{scx=Lana}\p{scx=Talu}\p{scx=Tavt}`;
/** Scripts that put no spaces between words: any part of a text may be one. */
const unspaced = raw`[[${eastAsian}${southEastAsian}]&&[\p{L}\p{M}\p{N}]]`;
/** Joiners and soft hyphens stand inside words, and are no part of them. */
const joiner = raw`\u00AD\u200C\u200D\u2060`;
const word = raw`[[\p{L}\p{M}\p{N}${joiner}]--${unspaced}]`;
const emoji = raw`\p{RI}\p{RI}|[\p{Extended_Pictographic}--\p{EMod}]`;
/**
 * The stack of a pattern grows with what it repeats: a run of millions of characters overflows it. So a pattern takes at
 * most this much of a run; where a longer one ends is found by a pattern that repeats nothing.
 */
const most = 512;
const segment = new RegExp(`(${unspaced}{1,${most}})|(${emoji})|${word}{1,${most}}`, "gv");
const afterUnspaced = new RegExp(`[^${unspaced}]`, "gv");
const afterWord = new RegExp(`[^${word}]`, "gv");
const asciiSegment = /[A-Za-z0-9]+/g;
const ascii = /^[\0-\x7f]*$/;

/** Returns the words of a text in their order. Whatever it holds, the cost is linear. */
export function listTerms(text: string): readonly Term[] {
  const shown = withoutData(text);
  if (ascii.test(shown))
    return Array.from(shown.matchAll(asciiSegment), (found) => toWord(found[0], found.index));
  const terms: (readonly Term[])[] = [];
  for (let found = findNext(segment, shown, 0); found !== null; ) {
    const { 0: part, 1: run, 2: picture, index: start } = found;
    const end = part.length < most ? start + part.length : findEnd(shown, found);
    const whole = shown.slice(start, end);
    if (run !== undefined) terms.push(toPairs(whole, start));
    else terms.push(picture === undefined ? toWords(whole, start) : [place(picture, start, whole.length)]);
    found = findNext(segment, shown, end);
  }
  return terms.flat();
}

/** Returns where a run ends of which only the beginning was taken. */
function findEnd(text: string, { 0: part, 1: run, index }: RegExpExecArray): number {
  const after = run === undefined ? afterWord : afterUnspaced;
  return findNext(after, text, index + part.length)?.index ?? text.length;
}

function findNext(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/**
 * Encoded data, such as pictures in base64: nobody looks for it, and it would fill the index.
 *
 * Written with a star, because the stack of `{512,}` grows with each character.
 */
const data = /[A-Za-z0-9+/=_-]{512}[A-Za-z0-9+/=_-]*/g;
/** What colours the output of a tool is no part of the words in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with one.
const colour = /\u001B\[[0-9;?]{0,40}[A-Za-z]/g;

/** Returns a text of the same length without what nobody looks for. */
export function withoutData(text: string): string {
  const plain = text.includes("\u001B") ? text.replace(colour, blank) : text;
  return hasData(plain) ? plain.replace(data, blank) : plain;
}

const isData = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Tells whether a text holds encoded data. It looks at one of so many characters, because the pattern looks at each several times. */
function hasData(text: string): boolean {
  const isAt = (at: number) => isData[text.charCodeAt(at)] === 1;
  for (let at = most - 1; at < text.length; at += most) {
    let start = at + 1;
    while (start > 0 && isAt(start - 1) && at - start < most) start -= 1;
    if (start > at) continue;
    while (at + 1 < text.length && isAt(at + 1) && at + 1 - start < most) at += 1;
    if (at + 1 - start >= most) return true;
  }
  return false;
}

function blank(found: string): string {
  return " ".repeat(found.length);
}

function place(text: string, start: number, length: number): Term {
  return { text, start, end: start + length };
}

function toWord(text: string, start: number): Term {
  const term = place(cut(text.toLowerCase()), start, text.length);
  const parts = splitCase(text, start, (part) => cut(part.toLowerCase()));
  return parts.length < 2 ? term : { ...term, parts };
}

/** A letter may stand for several, even for several words. */
const noLetter = /[^\p{L}\p{M}\p{N}]/u;

function toWords(text: string, start: number): readonly Term[] {
  const [only, ...others] = foldWords(text);
  if (only === undefined) return [];
  if (others.length > 0) return [only, ...others].map((each) => place(cut(each), start, text.length));
  const term = place(cut(only), start, text.length);
  const parts = splitCase(text, start, (part) => cut(foldWords(part).join("")));
  return parts.length < 2 ? [term] : [{ ...term, parts }];
}

function foldWords(text: string): readonly string[] {
  return ascii.test(text) ? [text.toLowerCase()] : fold(text).split(noLetter).filter(Boolean);
}

/** Digits belong to the word before them; without a small letter beside them they are those of a number, not of an identifier. */
const mixedCase = /\p{Ll}\p{N}*\p{Lu}|[\p{Lu}\p{N}]\p{Lu}\p{Ll}/u;
const digitsButLast = /\p{N}(?=\p{N})/gu;
const caseChange = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

function splitCase(text: string, start: number, toText: (part: string) => string): readonly Term[] {
  if (!mixedCase.test(text.length < most ? text : text.replace(digitsButLast, ""))) return [];
  let at = start;
  return text.split(caseChange, longestRun).map((part) => {
    at += part.length;
    return place(toText(part), at - part.length, part.length);
  });
}

/** Takes a text without spaces two characters at a time, and its last character alone. */
function toPairs(run: string, start: number): readonly Term[] {
  const characters = placeCharacters(run);
  return characters.map((each, index) => {
    const next = characters[index + 1];
    const term = { text: each.text + (next?.text ?? ""), start: start + each.start };
    if (next !== undefined) return { ...term, end: start + next.end, middle: start + each.end };
    const closes = characters.length === 1 ? ("itself" as const) : ("a run" as const);
    return { ...term, end: start + each.end, closes };
  });
}

/** Lists the characters of a run as they are compared, each where it stands: one may become several. */
function placeCharacters(run: string): readonly Term[] {
  const [written, compared] = [Array.from(run), Array.from(foldWords(run).join(""))];
  // To fold each alone is dear, and mostly the same.
  const folded =
    written.length === compared.length ? compared : written.map((each) => foldWords(each).join(""));
  // Where several become one, nobody knows which.
  if (folded.join("") !== compared.join("")) return compared.map((each) => place(each, 0, run.length));
  let at = 0;
  return written.flatMap((each, index) => {
    at += each.length;
    return Array.from(folded[index] ?? "", (text) => place(text, at - each.length, each.length));
  });
}

/** Marks that many people leave out when they write; the voicing marks of kana change the letter. */
const marks = /(?![\u3099\u309A])(?=\p{M})\p{Script=Inherited}|[\u0591-\u05C7]/gu;
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns a text in the form in which words are compared: without regard to case, width, accents and spelling of letters. */
function fold(text: string): string {
  const bare = text.normalize("NFKD").replace(marks, "").replace(ignorable, "");
  return bare.toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}

/** Longer words are cut. */
export const longest = 48;
/** What is left of a longer word before its hash; longer prefixes are cut to it. */
export const keptLength = 32;

function cut(term: string): string {
  if (term.length <= longest) return term;
  return `${term.slice(0, keptLength).toWellFormed().replaceAll("\uFFFD", "")}${quickHash(term)}`;
}

/** What joins the words of an identifier or a path. */
const connector = /^(?:[_./\\:#$@-]|::|->|\.\/)$/;

/**
 * Returns the identifiers and paths of a text that have words in mixed case, each as all of its words.
 *
 * `src/readEntries.ts` is `src readentries ts` among the terms, and `src read entries ts` here.
 */
export function listIdentifiers(text: string, terms: readonly Term[]): readonly (readonly Term[])[] {
  const found: Term[][] = [];
  let run: Term[] = [];
  let isMixed = false;
  const close = () => {
    if (isMixed) found.push(run.slice(0, longestRun));
    run = [];
    isMixed = false;
  };
  let end = -1;
  for (const term of terms) {
    if (term.start !== end && !(run.length > 0 && connector.test(text.slice(end, term.start)))) close();
    if (run.length >= longestRun) close();
    run.push(...(term.parts ?? [term]));
    isMixed ||= term.parts !== undefined;
    end = term.end;
  }
  close();
  return found;
}
