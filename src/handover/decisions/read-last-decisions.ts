import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed, symlinkRefused } from "../../lib/file-error.ts";
import { type FoundDecision, parseDecisions } from "./parse-decisions.ts";

const firstBlock = 1 << 16;

/**
 * Returns the last entries of a decisions.md in the order of the file; none when there is no file.
 *
 * Reads from the end, so that it costs the same whatever came before. Lines are counted from where it began to read.
 */
export async function readLastDecisions(path: string, last: number): Promise<readonly FoundDecision[]> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return await readBackwards(handle, last);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : readFailed(path, error);
  }
}

async function readBackwards(handle: FileHandle, last: number): Promise<readonly FoundDecision[]> {
  const { size } = await handle.stat();
  for (let length = firstBlock; ; length *= 4) {
    const start = Math.max(0, size - length);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const bytes = buffer.subarray(0, bytesRead);
    // What the block begins with may be the rest of a line, or of a character.
    const whole = start === 0 ? bytes : bytes.subarray(bytes.indexOf(0x0a) + 1);
    const { decisions } = parseDecisions(whole.toString("utf8"));
    if (start === 0 || decisions.length >= last) return last === 0 ? [] : decisions.slice(-last);
  }
}
