/** How many bytes of an output are kept: its end says how a command ended. */
const mostBytes = 64 * 1024;

/** The end of what a command has printed, in bounded room. */
export class OutputTail {
  #chunks: Buffer[] = [];
  #length = 0;

  add(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    if (this.#length > 2 * mostBytes) this.#keepEnd();
  }

  /** The last 64 KiB, from a whole character on; what is not UTF-8 is replaced. */
  get text(): string {
    this.#keepEnd();
    const [end = Buffer.alloc(0)] = this.#chunks;
    const start = end.length < mostBytes ? 0 : end.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
    return end.subarray(Math.max(start, 0)).toString("utf8");
  }

  #keepEnd(): void {
    const all = Buffer.concat(this.#chunks);
    // A copy, so that the rest can be let go.
    this.#chunks = [Buffer.from(all.subarray(-mostBytes))];
    this.#length = Math.min(all.length, mostBytes);
  }
}
