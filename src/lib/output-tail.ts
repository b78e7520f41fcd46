/** Keeps what a command prints, or a part of it, in bounded room. */
export interface OutputKeeper {
  add(bytes: Buffer): void;
  /** What is kept; what is not UTF-8 is replaced. */
  readonly text: string;
}

/** The end of an output says how a command ended. */
const usualBytes = 64 * 1024;

/** The end of what a command has printed. */
export class OutputTail implements OutputKeeper {
  readonly #mostBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(mostBytes = usualBytes) {
    this.#mostBytes = mostBytes;
  }

  add(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    if (this.#length > 2 * this.#mostBytes) this.#keepEnd();
  }

  /** As many bytes as are kept, from a whole character on. */
  get text(): string {
    this.#keepEnd();
    const [end = Buffer.alloc(0)] = this.#chunks;
    const start =
      end.length < this.#mostBytes ? 0 : end.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
    return end.subarray(Math.max(start, 0)).toString("utf8");
  }

  #keepEnd(): void {
    const all = Buffer.concat(this.#chunks);
    // A copy, so that the rest can be let go.
    this.#chunks = [Buffer.from(all.subarray(-this.#mostBytes))];
    this.#length = Math.min(all.length, this.#mostBytes);
  }
}
