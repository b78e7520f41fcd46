import type { FileHandle } from "node:fs/promises";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { decodeDecisions } from "./decode-decisions.ts";
import { type FoundDecision, parseDecisions } from "./parse-decisions.ts";
import { withDecisions } from "./with-decisions.ts";

/** Bytes; twenty entries have room in it. */
const firstBlock = 1 << 14;

/**
 * Returns the last entries of a decisions.md in the order of the file; none when there is no file.
 *
 * Reads from the end, so that it costs the same whatever came before. Lines are counted from where it began to read.
 */
export async function readLastDecisions(
  place: HandoverPlace,
  last: number,
): Promise<readonly FoundDecision[]> {
  if (last === Number.POSITIVE_INFINITY) return readEnd(place, last, () => true);
  const found = await readEnd(place, firstBlock, (decisions) => decisions.length >= last);
  return last === 0 ? [] : found.slice(-last);
}

/**
 * Returns the last entries of a decisions.md from one that is wanted on, and maybe some before it; all of them when there
 * is none. Reads from the end.
 */
export function readDecisionsSince(
  place: HandoverPlace,
  isWanted: (decision: FoundDecision) => boolean,
): Promise<readonly FoundDecision[]> {
  return readDecisionsUntil(place, (decisions) => decisions.some(isWanted));
}

/** Returns the last entries of a decisions.md, read from the end until they are enough; all of them when they never are. */
export function readDecisionsUntil(
  place: HandoverPlace,
  isEnough: (decisions: readonly FoundDecision[]) => boolean,
): Promise<readonly FoundDecision[]> {
  return readEnd(place, firstBlock, isEnough);
}

/** Reads the end of a file, so many bytes and then ever more, until its entries are enough or there are no others. */
async function readEnd(
  place: HandoverPlace,
  bytes: number,
  isEnough: (decisions: readonly FoundDecision[]) => boolean,
): Promise<readonly FoundDecision[]> {
  const found = await withDecisions(place, async (handle, path) => {
    const { size } = await handle.stat();
    for (let length = bytes; ; length *= 4) {
      const start = Math.max(0, size - length);
      const { decisions } = parseDecisions(decodeDecisions(path, await readFrom(handle, start, size)));
      if (length >= size || isEnough(decisions)) return decisions;
    }
  });
  return found ?? [];
}

async function readFrom(handle: FileHandle, start: number, size: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
  const bytes = buffer.subarray(0, bytesRead);
  // What the block begins with may be the rest of a line, or of a character.
  return start === 0 ? bytes : bytes.subarray(bytes.indexOf(0x0a) + 1);
}
