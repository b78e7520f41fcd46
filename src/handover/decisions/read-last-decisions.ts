import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed, refuseSpecialFile, symlinkRefused } from "../../lib/file-error.ts";
import { type FoundDecision, parseDecisions } from "./parse-decisions.ts";

/** Bytes; twenty entries have room in it. */
const firstBlock = 1 << 14;

/**
 * Returns the last entries of a decisions.md in the order of the file; none when there is no file.
 *
 * Reads from the end, so that it costs the same whatever came before. Lines are counted from where it began to read.
 */
export async function readLastDecisions(path: string, last: number): Promise<readonly FoundDecision[]> {
  if (last === Number.POSITIVE_INFINITY) return readEnd(path, last, () => true);
  const found = await readEnd(path, firstBlock, (decisions) => decisions.length >= last);
  return last === 0 ? [] : found.slice(-last);
}

/**
 * Returns the last entries of a decisions.md from one that is wanted on, and maybe some before it; all of them when there
 * is none. Reads from the end.
 */
export function readDecisionsSince(
  path: string,
  isWanted: (decision: FoundDecision) => boolean,
): Promise<readonly FoundDecision[]> {
  return readEnd(path, firstBlock, (decisions) => decisions.some(isWanted));
}

/** Reads the end of a file, so many bytes and then ever more, until its entries are enough or there are no others. */
async function readEnd(
  path: string,
  bytes: number,
  isEnough: (decisions: readonly FoundDecision[]) => boolean,
): Promise<readonly FoundDecision[]> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      refuseSpecialFile(path, stats);
      const { size } = stats;
      for (let length = bytes; ; length *= 4) {
        const decisions = await readFrom(handle, Math.max(0, size - length), size);
        if (length >= size || isEnough(decisions)) return decisions;
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : readFailed(path, error);
  }
}

async function readFrom(handle: FileHandle, start: number, size: number): Promise<readonly FoundDecision[]> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
  const bytes = buffer.subarray(0, bytesRead);
  // What the block begins with may be the rest of a line, or of a character.
  const whole = start === 0 ? bytes : bytes.subarray(bytes.indexOf(0x0a) + 1);
  return parseDecisions(whole.toString("utf8")).decisions;
}
