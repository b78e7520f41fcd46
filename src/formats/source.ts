import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { readFailed } from "../lib/file-error.ts";
import { BadImport } from "./bad-import.ts";
import { describeLimit } from "./read-lines.ts";

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
