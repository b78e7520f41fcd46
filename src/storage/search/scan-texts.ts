import { isOfTerm, listIdentifiers, listTerms, longestRun, withoutData } from "./terms.ts";
import { firstPrime, firstSeed, secondPrime, secondSeed, WordTable } from "./word-table.ts";

/** Stands for a gap, so that what is on its two sides does not follow one another; no text has it as a term. */
export const gapMark = "\uE000";

/** What the index keeps of an entry. */
export interface ScannedTexts {
  /** Its terms in order, between them nothing but characters of ASCII that are neither letters nor digits. */
  readonly text: string;
  /** Each of its words once. */
  readonly words: readonly string[];
  /** How many terms it has. */
  readonly length: number;
}

/** Tells whether documents are counted by a word: numbers and ids are too many, and rare. */
export function isCounted(word: string): boolean {
  return !/[0-9]/.test(word);
}

const [digit, small, capital, laterCapital, other, separator] = [1, 2, 4, 8, 16, 32] as const;

/** Of which kind a character is, by its code; 0 where nobody has asked yet. */
const kinds = new Uint8Array(0x1_0000);

function kindOf(code: number): number {
  const known = kinds[code] ?? 0;
  if (known !== 0) return known;
  const kind = classify(code);
  kinds[code] = kind;
  return kind;
}

function classify(code: number): number {
  const character = String.fromCharCode(code);
  if (code > 127) return isOfTerm(character) ? other : separator;
  if (/[0-9]/.test(character)) return digit;
  if (/[a-z]/.test(character)) return small;
  return /[A-Z]/.test(character) ? capital : separator;
}

/** The characters that join the words of an identifier or a path. */
const joins = Uint8Array.from({ length: 128 }, (_, code) =>
  /[_./\\:#$@-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Longer words are cut. */
const longest = 48;

const words = new WordTable();

/**
 * Makes of texts what an engine takes that divides words itself.
 *
 * These are the terms that `listTerms` and `listIdentifiers` list, but most of a text is handed on as it is, and a word
 * of ASCII costs one look at each of its characters.
 */
export function scanTexts(texts: readonly string[]): ScannedTexts {
  words.begin();
  const scanner = new Scanner();
  for (const text of texts) scanner.add(withoutData(text));
  return scanner.finish();
}

class Scanner {
  readonly #pieces: string[] = [];
  /** The words of identifiers, each identifier once. */
  readonly #identifiers = new Map<string, string>();
  #length = 0;
  #text = "";
  /** Up to where the text was handed on. */
  #copied = 0;
  /** The identifier or path that the last word belongs to: where it is, and of which kinds its characters are. */
  #start = 0;
  #end = 0;
  #seen = 0;
  #runLength = 0;

  add(text: string): void {
    this.#text = text;
    this.#copied = 0;
    this.#begin(0);
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (kindOf(code) !== separator) at = this.#takeWord(at);
      else {
        // Engines take what is not ASCII for letters.
        if (code > 127) this.#replace(at, at + 1, " ");
        at += 1;
      }
    }
    this.#close();
    this.#pieces.push(this.#copied === 0 ? text : text.slice(this.#copied), ` ${gapMark} `);
  }

  finish(): ScannedTexts {
    const text = this.#pieces.concat(...this.#identifiers.values()).join("");
    return { text, words: words.finish(), length: this.#length };
  }

  /** Takes the word that begins at a place, and returns where it ends. */
  #takeWord(start: number): number {
    const text = this.#text;
    let [seen, first, second, end] = [0, firstSeed, secondSeed, start];
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      const kind = kindOf(code);
      if (kind === separator) break;
      seen |= kind === capital && end > start ? laterCapital : kind;
      // The small letter of a capital.
      const folded = code | ((kind & capital) << 3);
      first = Math.imul(first ^ folded, firstPrime);
      second = Math.imul(second ^ folded, secondPrime);
    }
    this.#join(start);
    if ((seen & other) !== 0 || end - start > longest) seen = this.#takeOther(start, end);
    else this.#length += 1;
    if ((seen & (other | digit)) === 0) words.addHashed(first, second, text, start, end);
    // What has no small letter is in one case.
    if ((seen & (small | other)) !== 0) this.#seen |= seen & (laterCapital | other);
    this.#end = end;
    this.#runLength += 1;
    return end;
  }

  /** Takes what is not a plain word of ASCII; tells whether it is made of several. */
  #takeOther(start: number, end: number): number {
    const terms = listTerms(this.#text.slice(start, end));
    this.#length += terms.length;
    for (const { text } of terms) note(text);
    this.#replace(start, end, ` ${terms.map(({ text }) => text).join(" ")} `);
    return terms.some(({ parts }) => parts !== undefined) ? other | laterCapital : other;
  }

  #replace(start: number, end: number, by: string): void {
    this.#pieces.push(this.#text.slice(this.#copied, start), by);
    this.#copied = end;
  }

  #begin(start: number): void {
    [this.#start, this.#end, this.#seen, this.#runLength] = [start, -1, 0, 0];
  }

  /** Lets a word belong to the identifier or path before it, or begins another. */
  #join(start: number): void {
    const gap = this.#end < 0 ? 3 : start - this.#end;
    if (gap === 0 || (gap === 1 && joins[this.#text.charCodeAt(this.#end)] === 1)) return;
    if (gap === 2 && /^(?:::|->|\.\/)$/.test(this.#text.slice(this.#end, start))) return;
    this.#close();
    this.#begin(start);
  }

  /** Takes down the words that an identifier or a path is made of, where one is in mixed case. */
  #close(): void {
    if (this.#end < 0 || (this.#seen & laterCapital) === 0) return;
    const path = this.#text.slice(this.#start, this.#end);
    if (this.#identifiers.has(path)) return;
    const isPlain = (this.#seen & other) === 0 && this.#runLength < longestRun / 4 && path.length < 400;
    const runs = isPlain
      ? [splitAscii(path)]
      : listIdentifiers(path, listTerms(path)).map((run) => run.map(({ text }) => text));
    for (const part of runs.flat()) note(part);
    const texts = runs.map((parts) => (parts.length === 0 ? "" : ` ${gapMark} ${parts.join(" ")}`));
    this.#identifiers.set(path, texts.join(""));
  }
}

function note(term: string): void {
  if (isCounted(term)) words.add(term);
}

const mixed = /[a-z][0-9]*[A-Z]|[A-Z0-9][A-Z][a-z]/;
const caseChange = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** Returns the words of an identifier or a path of ASCII; none where no word is in mixed case. */
function splitAscii(path: string): readonly string[] {
  const whole = path.match(/[A-Za-z0-9]+/g) ?? [];
  if (!whole.some((word) => mixed.test(word))) return [];
  return whole.flatMap((word) =>
    (mixed.test(word) ? word.split(caseChange) : [word]).map((part) => part.toLowerCase()),
  );
}
