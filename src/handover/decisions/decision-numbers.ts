import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed, symlinkRefused } from "../../lib/file-error.ts";
import { parseHead } from "./parse-decisions.ts";

/** The numbers of the decisions that there are. */
export type DecisionNumbers = Pick<ReadonlySet<number>, "has">;

/**
 * Reads which numbers the entries of a decisions.md have; none when there is no file.
 *
 * A number is looked for when it is asked for: few are, and to parse ten thousand entries costs more than all else that
 * a draft does.
 */
export async function readDecisionNumbers(path: string): Promise<DecisionNumbers> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const bytes = await handle.readFile().finally(() => handle.close());
    return new NumbersIn(bytes);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return new Set();
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : readFailed(path, error);
  }
}

class NumbersIn {
  readonly #bytes: Buffer;
  #all: ReadonlySet<number> | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  has(seq: number): boolean {
    if (hasHead(this.#bytes, seq)) return true;
    // A hand may have written it in another way, such as D007.
    this.#all ??= new Set(numbersOf(this.#bytes.toString("latin1")));
    return this.#all.has(seq);
  }
}

function numbersOf(text: string): readonly number[] {
  return text.split(/[\n\r]/).flatMap((line) => parseHead(line)?.seq ?? []);
}

/** Looks for the head of an entry from the end, because what is asked for is most often new. */
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
