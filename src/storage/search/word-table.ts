/** Enough for the words of most projects; where there are more, the table begins anew with the next document. */
const mostWords = 400_000;

/**
 * Collects the words of documents, each once a document.
 *
 * Words are known by two hashes, so that one that was seen before needs no string of its own: that is most of the time
 * that taking a text into the index would cost.
 */
export class WordTable {
  #capacity = 1 << 14;
  #first = new Int32Array(this.#capacity);
  #second = new Int32Array(this.#capacity);
  /** The last document that has a word, from 1 on; 0 where there is no word. */
  #seenIn = new Int32Array(this.#capacity);
  #words: string[] = [];
  #size = 0;
  #document = 0;
  #found: string[] = [];

  begin(): void {
    if (this.#size > mostWords || this.#document > 2 ** 30) this.#clear();
    this.#document += 1;
    this.#found = [];
  }

  /** Returns the words that were added since `begin`. */
  finish(): readonly string[] {
    return this.#found;
  }

  /** Adds the word of ASCII between two places of a text, whatever its case; `first` and `second` are its hashes. */
  addHashed(first: number, second: number, text: string, start: number, end: number): void {
    const slot = this.#find(first, second);
    if (this.#seenIn[slot] === this.#document) return;
    if (this.#seenIn[slot] === 0) this.#insert(slot, first, second, text.slice(start, end).toLowerCase());
    this.#seenIn[slot] = this.#document;
    this.#found.push(this.#words[slot] ?? "");
    if (2 * this.#size > this.#capacity) this.#grow();
  }

  add(word: string): void {
    let first = firstSeed;
    let second = secondSeed;
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at);
      first = Math.imul(first ^ code, firstPrime);
      second = Math.imul(second ^ code, secondPrime);
    }
    this.addHashed(first, second, word, 0, word.length);
  }

  #find(first: number, second: number): number {
    const mask = this.#capacity - 1;
    let slot = (first ^ (first >>> 15)) & mask;
    while (this.#seenIn[slot] !== 0 && (this.#first[slot] !== first || this.#second[slot] !== second))
      slot = (slot + 1) & mask;
    return slot;
  }

  #insert(slot: number, first: number, second: number, word: string): void {
    this.#first[slot] = first;
    this.#second[slot] = second;
    this.#words[slot] = word;
    this.#size += 1;
  }

  #grow(): void {
    const [first, second, seenIn, words] = [this.#first, this.#second, this.#seenIn, this.#words];
    this.#resize(2 * this.#capacity);
    for (const [old, document] of seenIn.entries()) {
      if (document === 0) continue;
      const [one = 0, other = 0] = [first[old], second[old]];
      const slot = this.#find(one, other);
      this.#insert(slot, one, other, words[old] ?? "");
      this.#seenIn[slot] = document;
    }
  }

  #clear(): void {
    this.#resize(1 << 14);
    this.#document = 0;
  }

  #resize(capacity: number): void {
    this.#capacity = capacity;
    this.#first = new Int32Array(capacity);
    this.#second = new Int32Array(capacity);
    this.#seenIn = new Int32Array(capacity);
    this.#words = [];
    this.#size = 0;
  }
}

/** A hash begins with its seed; each character is mixed in and multiplied by its prime. */
export const [firstSeed, firstPrime] = [0x811c9dc5 | 0, 0x01000193];
export const [secondSeed, secondPrime] = [0x2f0b4c1d, 0x2c1b3c6d];
