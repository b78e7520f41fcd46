import { toPrintable } from "../../../lib/printable.ts";

/**
 * Where a text can be cut without changing what becomes of its characters: before a space, a line end or a character of a
 * script that has no spaces. Emoji and letters that are joined by characters without a shape stay together.
 */
const places = /[ \t\u3041-\u30FF\u4E00-\u9FFF\uAC00-\uD7A3]|(?<!\r)\n/g;

/** Makes a text printable that comes in pieces; what a piece ends with waits until it is known what follows. */
export class PrintableStream {
  #rest = "";

  /** Takes a piece and returns what can be printed. */
  push(text: string): string {
    const all = this.#rest + text;
    const cut = findLastPlace(all);
    this.#rest = all.slice(cut);
    return toPrintable(all.slice(0, cut));
  }

  /** Returns what is left, and begins anew. */
  end(): string {
    const rest = this.#rest;
    this.#rest = "";
    return toPrintable(rest);
  }
}

function findLastPlace(text: string): number {
  let last = 0;
  for (const { index } of text.matchAll(places)) last = index;
  return last;
}
