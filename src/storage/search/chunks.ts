import { listIdentifiers, listTerms, type Term } from "./terms.ts";

/** Stands between terms that do not follow one another. */
export const gap = "";

/** PostgreSQL keeps 16,383 positions and 1 MB a document. */
const mostTerms = 4000;
/** PostgreSQL keeps 255 places of a term in a document; without a place it would be in no phrase. */
const mostOfOne = 250;
/** The longest phrase that is looked for: one that begins in a chunk is whole there or in the next. */
export const longestPhrase = 32;

/**
 * Divides texts into lists of terms that both engines can take as one document.
 *
 * A chunk begins with the end of the one before it, so that no phrase is torn apart. Identifiers come after the terms, as
 * the words that they are made of.
 */
export function makeChunks(texts: readonly string[]): readonly (readonly string[])[] {
  const chunker = new Chunker();
  for (const text of texts) {
    const terms = listTerms(text);
    const identifiers = new Map(listIdentifiers(text, terms).map((run) => [run[0]?.start, run]));
    for (const term of terms) {
      const run = identifiers.get(term.start);
      chunker.add(term.text, run === undefined ? [] : run.map(toText));
      if (run !== undefined) identifiers.delete(term.start);
    }
    chunker.separate();
  }
  return chunker.finish();
}

function toText({ text }: Term): string {
  return text;
}

class Chunker {
  readonly #chunks: (readonly string[])[] = [];
  readonly #counts = new Map<string, number>();
  #terms: string[] = [];
  #identifiers: string[] = [];
  /** How many terms the chunk before has given. */
  #given = 0;

  add(term: string, identifier: readonly string[]): void {
    const isFull = this.#terms.length + this.#identifiers.length + identifier.length >= mostTerms;
    if (isFull || this.#isTooOften(term, identifier)) this.#close();
    this.#terms.push(term);
    this.#count(term);
    if (identifier.length === 0) return;
    this.#identifiers.push(gap, ...identifier);
    for (const each of identifier) this.#count(each);
  }

  separate(): void {
    if (this.#terms.length > 0 && this.#terms.at(-1) !== gap) this.#terms.push(gap);
  }

  finish(): readonly (readonly string[])[] {
    if (this.#terms.length > this.#given) this.#close();
    return this.#chunks;
  }

  #isTooOften(term: string, identifier: readonly string[]): boolean {
    return [term, ...identifier].some(
      (each) => (this.#counts.get(each) ?? 0) + identifier.length >= mostOfOne,
    );
  }

  #close(): void {
    const isOver = this.#terms.at(-1) === gap;
    const terms = isOver ? this.#terms.slice(0, -1) : this.#terms;
    this.#chunks.push([...terms, ...this.#identifiers]);
    const last = this.#terms.lastIndexOf(gap);
    this.#terms = this.#terms.slice(Math.max(last + 1, this.#terms.length - longestPhrase + 1));
    this.#given = this.#terms.length;
    this.#identifiers = [];
    this.#counts.clear();
    for (const term of this.#terms) this.#count(term);
  }

  #count(term: string): void {
    if (term !== gap) this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1);
  }
}
