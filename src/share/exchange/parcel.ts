import type { Piece } from "./deliver.ts";

/** What goes into one transaction: enough to be fast, little enough to be done soon. */
const usualEntries = 1000;
const mostCharacters = 4 * 1024 * 1024;

/** Pieces that are gathered until they are worth a transaction. */
export class Parcel {
  readonly #mostEntries: number;
  #pieces: Piece[] = [];
  #entries = 0;
  #characters = 0;

  constructor(mostEntries = usualEntries) {
    this.#mostEntries = mostEntries;
  }

  get isFull(): boolean {
    return this.#entries >= this.#mostEntries || this.#characters >= mostCharacters;
  }

  put(piece: Piece): void {
    this.#pieces.push(piece);
    // One without entries is a row all the same.
    this.#entries += piece.entries.length + 1;
    this.#characters += piece.entries.reduce((sum, { body }) => sum + body.length, 0);
  }

  /** Returns what was gathered and begins anew. */
  take(): readonly Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#entries = 0;
    this.#characters = 0;
    return pieces;
  }
}
