import { countSettled } from "./settled.ts";

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
