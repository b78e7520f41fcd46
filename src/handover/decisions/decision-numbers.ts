import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed, refuseSpecialFile, symlinkRefused } from "../../lib/file-error.ts";
import { parseHead } from "./parse-decisions.ts";

/** The numbers of the decisions that there are. */
export type DecisionNumbers = Pick<ReadonlySet<number>, "has">;

/** Bytes. */
const firstBlock = 1 << 16;

/**
 * Tells which numbers the entries of a decisions.md have; none when there is no file.
 *
 * A number is looked for when it is asked for, from the end of the file: few are asked for, and most of them are new.
 */
export class NumbersIn implements DecisionNumbers {
  readonly #path: string;
  #end: End = { bytes: Buffer.alloc(0), isAll: false };
  #read = 0;
  #all: ReadonlySet<number> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  has(seq: number): boolean {
    while (!hasHead(this.#end.bytes, seq)) {
      if (this.#end.isAll) return this.#hasOtherwise(seq);
      this.#read = Math.max(firstBlock, this.#read * 4);
      this.#end = readEnd(this.#path, this.#read);
    }
    return true;
  }

  /** A hand may have written a number in another way, such as D007. */
  #hasOtherwise(seq: number): boolean {
    this.#all ??= new Set(numbersOf(this.#end.bytes.toString("latin1")));
    return this.#all.has(seq);
  }
}

function numbersOf(text: string): readonly number[] {
  return text.split(/[\n\r]/).flatMap((line) => parseHead(line)?.seq ?? []);
}

/** The last lines of a file. */
interface End {
  readonly bytes: Buffer;
  readonly isAll: boolean;
}

/** Returns the lines in the last bytes of a file, so many at most. */
function readEnd(path: string, most: number): End {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      refuseSpecialFile(path, stats);
      const { size } = stats;
      const start = Math.max(0, size - most);
      const buffer = Buffer.alloc(size - start);
      const bytes = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start));
      if (start === 0) return { bytes, isAll: true };
      // What it begins with may be the rest of a line.
      const line = bytes.indexOf(0x0a);
      return { bytes: bytes.subarray(line < 0 ? bytes.length : line + 1), isAll: false };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return { bytes: Buffer.alloc(0), isAll: true };
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : readFailed(path, error);
  }
}

function hasHead(bytes: Buffer, seq: number): boolean {
  const word = `] D${seq}`;
  let at = bytes.lastIndexOf(word);
  while (at > 0) {
    if (parseHead(lineUpTo(bytes, at, word.length))?.seq === seq) return true;
    at = bytes.lastIndexOf(word, at - 1);
  }
  return false;
}

/** Returns a line from its beginning up to the end of a word and one byte more. */
function lineUpTo(bytes: Buffer, at: number, length: number): string {
  let start = at;
  while (start > 0 && !isEnd(bytes[start - 1])) start -= 1;
  return bytes.toString("latin1", start, at + length + 1);
}

function isEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}
