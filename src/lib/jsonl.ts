import { isUtf8 } from "node:buffer";
import { constants, createReadStream } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isSystemError } from "./app-error.ts";
import { syncFolder, writeFully } from "./atomic-file.ts";
import { readFailed, refuseSpecialFile, symlinkRefused, writeFailed } from "./file-error.ts";
import { LineSplitter, type RawLine } from "./line-splitter.ts";

/** A line of a JSONL file that holds a value, or one that does not and why. Lines count from 1, blank ones too. */
export type JsonlLine =
  | { readonly type: "line"; readonly number: number; readonly value: unknown }
  | {
      readonly type: "rejected";
      readonly number: number;
      readonly reason: string;
      /** Whether it is the end of the file and lacks its newline: its writer was cut off, or is not done yet. */
      readonly torn: boolean;
    };

export interface JsonlOptions {
  /** Longer lines are rejected and never held in memory: 8 MB, unless told. */
  readonly maxLineBytes?: number;
}

/**
 * Yields the lines of a JSONL source in order. A bad line is reported and does not stop the ones after it.
 *
 * Takes CRLF, blank lines and a byte order mark. The source is a path or the bytes themselves.
 */
export async function* readJsonl(
  source: AsyncIterable<Uint8Array> | string,
  options: JsonlOptions = {},
): AsyncGenerator<JsonlLine, void, undefined> {
  const splitter = new LineSplitter(options.maxLineBytes ?? 8_000_000);
  for await (const chunk of typeof source === "string" ? readChunks(source) : source) {
    for (const raw of splitter.push(chunk)) {
      const line = parseJsonlLine(raw);
      if (line !== undefined) yield line;
    }
  }
  const last = splitter.end();
  const line = last === undefined ? undefined : parseJsonlLine(last);
  if (line !== undefined) yield line;
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path, { highWaterMark: 262_144 });
  } catch (error) {
    throw readFailed(path, error);
  }
}

/** Reads the value of one line; a blank line gives undefined. */
export function parseJsonlLine({ number, bytes, complete }: RawLine): JsonlLine | undefined {
  const reject = (reason: string): JsonlLine => ({ type: "rejected", number, reason, torn: !complete });
  if (bytes === undefined) return reject("longer than the limit");
  if (!isUtf8(bytes)) return reject("not valid UTF-8");
  const text = decode(bytes, number);
  if (/^[\t\r ]*$/.test(text)) return undefined;
  try {
    return { type: "line", number, value: JSON.parse(text) };
  } catch {
    // The parser's own message quotes the line, which may hold a secret.
    return reject("not valid JSON");
  }
}

function decode(bytes: Uint8Array, number: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return number === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text;
}

const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/**
 * Appends values to a JSONL file, one line each, in one write. When it returns, they survive a power cut.
 *
 * A tail that a killed writer left without its newline gets one first, so that it does not swallow the next line.
 * A write that fails may leave such a tail. Of several processes that append at once, none loses a line unless
 * another is killed or runs out of disk at that very moment; where that matters, they take a lock.
 */
export async function appendJsonl(path: string, values: readonly unknown[]): Promise<void> {
  const text = values.map(renderLine).join("");
  if (text === "") return;
  try {
    await refuseIfSpecial(path);
    const handle = await open(path, appending, 0o600);
    try {
      await appendText(handle, path, text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : writeFailed(path, error);
  }
}

async function appendText(handle: FileHandle, path: string, text: string): Promise<void> {
  const { size } = await handle.stat();
  // Before the first line, so that a file with content is known to have a durable name, whoever made it.
  if (size === 0) await syncFolder(dirname(path));
  const torn = size > 0 && !(await endsInNewline(handle, size));
  await writeFully(handle, Buffer.from(torn ? `\n${text}` : text));
  await handle.sync();
}

async function endsInNewline(handle: FileHandle, size: number): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] === 0x0a;
}

async function refuseIfSpecial(path: string): Promise<void> {
  try {
    refuseSpecialFile(path, await lstat(path));
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

function renderLine(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`A ${typeof value} has no form in JSON.`);
  return `${text}\n`;
}
