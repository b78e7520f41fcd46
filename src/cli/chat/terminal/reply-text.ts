import { Marked, type Token } from "@earendil-works/pi-tui";

const parser = new Marked();

function parse(text: string): readonly Token[] {
  try {
    return parser.lexer(text);
  } catch {
    // What the parser fails on is settled when all of it is there.
    return [];
  }
}

/**
 * Returns how many characters at the beginning of a reply will look the same whatever follows.
 *
 * A paragraph may become a heading by its next line, a list goes on after an empty one: only what stands before a block
 * that has begun, and an empty line before that, is settled.
 */
export function countSettled(text: string): number {
  const tokens = text.includes("\n\n") ? parse(text) : [];
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  const blank = tokens.findLastIndex(({ type }, index) => type === "space" && index < last);
  if (blank === -1) return 0;
  const settled = tokens.slice(0, blank + 1).map(({ raw }) => raw);
  const count = settled.reduce((sum, raw) => sum + raw.length, 0);
  // What the parser leaves out of its tokens would be lost.
  return text.startsWith(settled.join("")) ? count : 0;
}

/** How much a reply grows before it is asked again what of it is settled; a part of what is not. */
const growth = { least: 40, part: 0.1 };

/** The text of a reply that is coming in, without what is settled and has been taken off. */
export class ReplyText {
  #text = "";
  #nextLook = 0;

  /** What may still change how it looks. */
  get rest(): string {
    return this.#text;
  }

  /** Adds what has come, and returns what is settled by it, if anything is. */
  push(text: string): string {
    this.#text = (this.#text + text).replaceAll("\r\n", "\n");
    // To look at all of it with each word would cost the square of its length.
    if (this.#text.length < this.#nextLook) return "";
    const settled = countSettled(this.#text);
    return this.#takeOff(settled);
  }

  /** Returns what is left, and begins anew. */
  take(): string {
    return this.#takeOff(this.#text.length);
  }

  #takeOff(count: number): string {
    const taken = this.#text.slice(0, count);
    this.#text = this.#text.slice(count);
    const { length } = this.#text;
    this.#nextLook = length === 0 ? 0 : length + Math.max(growth.least, growth.part * length);
    return taken;
  }
}
