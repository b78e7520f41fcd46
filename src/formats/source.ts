import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { readFailed } from "../lib/file-error.ts";
import { LineSplitter, type RawLine } from "../lib/line-splitter.ts";
import { BadImport } from "./bad-import.ts";
import type { ImportLimits } from "./limits.ts";

/** Something that can be imported; it is read from its beginning as often as is needed. */
export interface ImportSource {
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** Returns a file as a source. */
export function fileSource(path: string): ImportSource {
  return { open: () => readChunks(path) };
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 262_144 });
  } catch (error) {
    throw readFailed(path, error);
  }
}

/** Returns the first bytes of a source. */
export async function readStart({ open }: ImportSource, size: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of open()) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length >= size) break;
  }
  return Buffer.concat(chunks).subarray(0, size);
}

/** Returns the text of a source that has to be read as a whole; a larger one is refused without reading on. */
export async function readText({ open }: ImportSource, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of open()) {
    length += chunk.byteLength;
    if (length > maxBytes)
      throw new BadImport(
        undefined,
        `it is larger than ${describeLimit(maxBytes)}; larger ones are read in the format carryon, line by line`,
      );
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new BadImport(undefined, "it is not valid UTF-8");
  const text = bytes.toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** One line of a text file. */
export interface TextLine {
  readonly number: number;
  readonly text: string;
}

export const lineName = (number: number): string => `Line ${number}`;

/** Yields the lines of a file that are not blank; throws at the first that is too long or no UTF-8, without reading on. */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  limits: ImportLimits,
): AsyncGenerator<TextLine> {
  const splitter = new LineSplitter(limits.lineBytes);
  let total = 0;
  let number = 1;
  for await (const chunk of bytes) {
    total += chunk.byteLength;
    if (total > limits.totalBytes)
      throw new BadImport(lineName(number), `the file is larger than ${describeLimit(limits.totalBytes)}`);
    for (const raw of splitter.push(chunk)) {
      const line = toLine(raw, limits);
      number = raw.number + 1;
      if (line !== undefined) yield line;
    }
    if (splitter.pending > limits.lineBytes) throw tooLong(number, limits);
  }
  const last = splitter.end();
  const line = last === undefined ? undefined : toLine(last, limits);
  if (line !== undefined) yield line;
}

function toLine({ number, bytes }: RawLine, limits: ImportLimits): TextLine | undefined {
  if (bytes === undefined) throw tooLong(number, limits);
  if (!isUtf8(bytes)) throw new BadImport(lineName(number), "it is not valid UTF-8");
  const decoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const text = number === 1 && decoded.startsWith("\uFEFF") ? decoded.slice(1) : decoded;
  return /^[\t\r ]*$/.test(text) ? undefined : { number, text };
}

function tooLong(number: number, { lineBytes }: ImportLimits): BadImport {
  return new BadImport(lineName(number), `it is longer than ${describeLimit(lineBytes)}`);
}

/** Describes a limit for people. */
export function describeLimit(bytes: number): string {
  return bytes >= 1_000_000_000
    ? `${bytes / 1_000_000_000} GB`
    : bytes >= 1_000_000
      ? `${bytes / 1_000_000} MB`
      : `${bytes} bytes`;
}
