import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** One line of bytes, without its newline. `bytes` is undefined if there were too many to keep. */
export interface RawLine {
  readonly number: number;
  readonly bytes: Uint8Array | undefined;
  /** How many bytes it has, kept or not. */
  readonly size: number;
  /** Whether a newline followed. Only the last line of a source may lack it. */
  readonly complete: boolean;
}

const newline = 0x0a;

/** Cuts a stream of bytes into lines. Keeps at most one line of at most `maxLineBytes`, however long the line is. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #kept = new Uint8Array(0);
  #size = 0;
  #number = 1;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** How many bytes of a line were seen that has not ended yet. */
  get pending(): number {
    return this.#size;
  }

  /** Yields the lines that end in a chunk. Their bytes are only valid until the next one is asked for. */
  *push(chunk: Uint8Array): Generator<RawLine> {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      yield this.#finish(chunk.subarray(from, end));
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Returns what followed the last newline, or undefined if nothing did. */
  end(): RawLine | undefined {
    if (this.#size === 0) return undefined;
    return { ...this.#finish(new Uint8Array(0)), complete: false };
  }

  #finish(rest: Uint8Array): RawLine {
    const bytes = this.#join(rest);
    const size = bytes?.byteLength ?? this.#size + rest.byteLength;
    this.#size = 0;
    const number = this.#number++;
    return { number, bytes, size, complete: true };
  }

  #join(rest: Uint8Array): Uint8Array | undefined {
    if (this.#size + rest.byteLength > this.#maxLineBytes) return undefined;
    if (this.#size === 0) return rest;
    this.#keep(rest);
    return this.#kept.subarray(0, this.#size);
  }

  /** Copies, because a source may use its buffer again; counts on without keeping once the line is too long. */
  #keep(bytes: Uint8Array): void {
    const size = this.#size + bytes.byteLength;
    if (size <= this.#maxLineBytes) {
      this.#reserve(size);
      this.#kept.set(bytes, this.#size);
    }
    this.#size = size;
  }

  #reserve(size: number): void {
    if (size <= this.#kept.byteLength) return;
    const larger = new Uint8Array(Math.min(Math.max(size, 2 * this.#kept.byteLength), this.#maxLineBytes));
    larger.set(this.#kept.subarray(0, this.#size));
    this.#kept = larger;
  }
}

const chunkBytes = 1_048_576;

/** Yields the bytes of an open file between two places. They are only valid until the next ones are asked for. */
export function* readChunks(file: number, from: number, to: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(chunkBytes, to - from)));
  for (let at = from; at < to; ) {
    const bytesRead = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Yields the lines of a file as far as it goes now. Their bytes are only valid until the next one is asked for. */
export function* readRawLines(path: string, maxLineBytes: number): Generator<RawLine> {
  const splitter = new LineSplitter(maxLineBytes);
  const file = openSync(path, "r");
  try {
    for (const chunk of readChunks(file, 0, fstatSync(file).size)) yield* splitter.push(chunk);
    const last = splitter.end();
    if (last !== undefined) yield last;
  } finally {
    closeSync(file);
  }
}
