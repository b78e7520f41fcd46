import { hash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { readFailed } from "../../lib/file-error.ts";
import { parseIfJson } from "../../lib/json.ts";
import { type JsonlLine, parseJsonlLine } from "../../lib/jsonl.ts";
import { LineSplitter, type RawLine, readChunks } from "../../lib/line-splitter.ts";
import { isJsonObject, type Row, toRow } from "./wire.ts";

/** How far a transcript was read: plain JSON. */
export interface TranscriptPosition {
  /** Bytes that were read. */
  readonly offset: number;
  /** Newlines among them. */
  readonly lines: number;
  readonly inode: string;
  /** The SHA-256 of the last bytes before the offset: other ones mean that the file was written anew. */
  readonly tail: string;
  /** When the file was last written to, in nanoseconds. */
  readonly mtimeNs: string;
  /** Which `readerVersion` has read it; 0.1.0 did not say. */
  readonly reader?: number;
}

/** Grows when more is recorded of a transcript than before: what an older reader has read is read again, once. */
const readerVersion = 2;

/** Tells whether a transcript was read by a reader that records less of it than this one. */
export function isReadByOlder({ reader = 1 }: TranscriptPosition): boolean {
  return reader < readerVersion;
}

/** What is told of a file without opening it. */
export interface FileFacts {
  readonly size: number;
  /** The number of the file: another one means that it was replaced. The device has none that outlives a restart. */
  readonly inode: string;
  /** In nanoseconds. */
  readonly mtimeNs: string;
}

/** Tells whether a file was read to its end and not written to since; it need not be opened then. */
export function isReadThrough(position: TranscriptPosition, { size, inode, mtimeNs }: FileFacts): boolean {
  return position.offset === size && position.inode === inode && position.mtimeNs === mtimeNs;
}

/** A line that holds no row. */
interface RejectedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly offset: number;
  readonly reason: string;
}

/** Some lines of a transcript, and where reading goes on after them. */
export interface TranscriptBatch {
  /** Whether these are the first lines of the file, read for the first time or because it was written anew. */
  readonly isStart: boolean;
  /** Whether nothing came after them when they were read. */
  readonly isEnd: boolean;
  readonly rows: readonly Row[];
  /** Where the line of each row begins, in bytes. */
  readonly offsets: readonly number[];
  readonly rejected: readonly RejectedLine[];
  readonly position: TranscriptPosition;
}

export interface ReadOptions {
  /** A batch ends when it has so many bytes: 4 MB, unless told. */
  readonly batchBytes?: number;
  /** Longer lines are rejected and never held in memory: 64 MB, unless told. */
  readonly maxLineBytes?: number;
}

const tailBytes = 1024;

/**
 * Reads what was written to a transcript since a position, in batches; nothing when nothing was.
 *
 * A file that was replaced, cut or written anew is read from its start. A last line that is not whole is left for the
 * next time.
 */
export async function* readTranscript(
  path: string,
  from?: TranscriptPosition,
  options: ReadOptions = {},
): AsyncGenerator<TranscriptBatch, void, undefined> {
  try {
    // Not by promises: a history has thousands of small files, and each would cost more to wait for than to read.
    const file = openSync(path, "r");
    try {
      yield* readOpen(file, from, options);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw readFailed(path, error);
  }
}

function* readOpen(
  file: number,
  from: TranscriptPosition | undefined,
  { batchBytes = 4_000_000, maxLineBytes = 64_000_000 }: ReadOptions,
): Generator<TranscriptBatch, void, undefined> {
  const stats = fstatSync(file, { bigint: true });
  const [inode, size, mtimeNs] = [String(stats.ino), Number(stats.size), String(stats.mtimeNs)];
  const goesOn = from !== undefined && isSameFile(file, inode, size, from);
  const batch = new Batch(goesOn ? from : { offset: 0, lines: 0 }, !goesOn);
  const close = (place: Pick<TranscriptBatch, "isEnd">) =>
    batch.close({ inode, mtimeNs, tail: hashTail(file, batch.offset), ...place });
  const splitter = new LineSplitter(maxLineBytes);
  // Not past the size at the start, so that a client that writes as fast as we read does not hold us.
  for (const chunk of readChunks(file, batch.offset, size)) {
    for (const raw of splitter.push(chunk)) {
      batch.add(raw);
      if (batch.bytes >= batchBytes) yield close({ isEnd: false });
    }
  }
  const last = splitter.end();
  if (last !== undefined) batch.addUnended(last);
  if (batch.bytes > 0 || (batch.isStart && from !== undefined)) yield close({ isEnd: true });
}

function isSameFile(file: number, inode: string, size: number, from: TranscriptPosition): boolean {
  return inode === from.inode && size >= from.offset && hashTail(file, from.offset) === from.tail;
}

function hashTail(file: number, offset: number): string {
  const buffer = Buffer.alloc(Math.min(offset, tailBytes));
  const bytesRead = readSync(file, buffer, 0, buffer.length, offset - buffer.length);
  return hash("sha256", buffer.subarray(0, bytesRead), "hex");
}

/** What a batch is closed with. */
type Closing = Pick<TranscriptPosition, "inode" | "tail" | "mtimeNs"> & Pick<TranscriptBatch, "isEnd">;

/** The lines since the last batch. */
class Batch {
  readonly #firstLine: number;
  #offset: number;
  #lines: number;
  #bytes = 0;
  #isStart: boolean;
  #rows: Row[] = [];
  #offsets: number[] = [];
  #rejected: RejectedLine[] = [];

  constructor({ offset, lines }: Pick<TranscriptPosition, "offset" | "lines">, isStart: boolean) {
    this.#offset = offset;
    this.#lines = lines;
    this.#firstLine = lines;
    this.#isStart = isStart;
  }

  get offset(): number {
    return this.#offset;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isStart(): boolean {
    return this.#isStart;
  }

  add(raw: RawLine): void {
    const line = this.#parse(raw);
    if (line?.type === "line") this.#take(line.number, line.value);
    else if (line !== undefined) this.#salvage(raw, line.number, line.reason);
    this.#move(raw.size + 1);
    this.#lines += 1;
  }

  /** A whole object ends itself; half of one is no value, so that nothing is read too early. */
  addUnended(raw: RawLine): void {
    const line = this.#parse(raw);
    if (line?.type !== "line" || !isJsonObject(line.value)) return;
    this.#take(line.number, line.value);
    this.#move(raw.size);
  }

  close({ isEnd, ...file }: Closing): TranscriptBatch {
    const found = {
      isStart: this.#isStart,
      rows: this.#rows,
      offsets: this.#offsets,
      rejected: this.#rejected,
    };
    [this.#rows, this.#offsets, this.#rejected, this.#isStart, this.#bytes] = [[], [], [], false, 0];
    return {
      ...found,
      isEnd,
      position: { offset: this.#offset, lines: this.#lines, ...file, reader: readerVersion },
    };
  }

  #parse(raw: RawLine): JsonlLine | undefined {
    return parseJsonlLine({ ...raw, number: this.#firstLine + raw.number });
  }

  #take(line: number, value: unknown): void {
    const row = toRow(value);
    if (row.family === "rejected") this.#reject(line, row.reason);
    else {
      this.#rows.push(row);
      this.#offsets.push(this.#offset);
    }
  }

  #salvage({ bytes }: RawLine, line: number, reason: string): void {
    this.#reject(line, reason);
    const glued = bytes === undefined ? undefined : findGlued(decode(bytes));
    if (glued !== undefined) this.#take(line, JSON.parse(glued));
  }

  #reject(line: number, reason: string): void {
    this.#rejected.push({ line, offset: this.#offset, reason });
  }

  #move(bytes: number): void {
    this.#offset += bytes;
    this.#bytes += bytes;
  }
}

/** The keys that rows begin with; inside a string their quotation marks would be escaped. */
const beginning =
  /\{"(?:parentUuid|isSidechain|type|uuid|timestamp|sessionId|message|attachment|leafUuid)":/g;

const attempts = 100;

function decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}

/**
 * Finds the text of a whole row at the end of a line that is no JSON.
 *
 * A client that was killed leaves half a row without a newline, and the next row stands right behind it.
 */
export function findGlued(text: string): string | undefined {
  let left = attempts;
  for (const { index } of text.matchAll(beginning)) {
    if (left-- === 0) return undefined;
    if (index > 0 && isJsonObject(parseIfJson(text.slice(index)))) return text.slice(index);
  }
  return undefined;
}
