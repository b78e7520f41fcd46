import { type OutputKeeper, OutputTail } from "../../lib/output-tail.ts";
import { capOutput, joinEnds } from "./cap-output.ts";

/** No character has more. */
const bytesOfCharacter = 4;

/** The beginning and the end of what a command prints, however much that is; all of it where there is room. */
export class OutputEnds implements OutputKeeper {
  readonly #mostCharacters: number;
  readonly #tail: OutputTail;
  #head: Buffer[] = [];
  #headLength = 0;
  #length = 0;

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
    this.#tail = new OutputTail(bytesOfCharacter * mostCharacters);
  }

  add(bytes: Buffer): void {
    this.#length += bytes.length;
    this.#tail.add(bytes);
    const missing = bytesOfCharacter * this.#mostCharacters - this.#headLength;
    if (missing <= 0) return;
    const first = bytes.subarray(0, missing);
    this.#head.push(first);
    this.#headLength += first.length;
  }

  get text(): string {
    const head = Buffer.concat(this.#head).toString();
    if (this.#length === this.#headLength) return capOutput(head, this.#mostCharacters);
    // What has more bytes than so many characters can have is longer than both ends together: they do not overlap.
    return joinEnds(head, this.#tail.text, { mostCharacters: this.#mostCharacters, bytes: this.#length });
  }
}
