import type { Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { unreadable } from "../../lib/markdown/read-document.ts";
import { parseHead } from "./parse-decisions.ts";

const blockSize = 1 << 18;

/** What the bytes of a decisions.md tell an append. */
export interface Scan {
  readonly highest: number;
  /** How its lines end. */
  readonly ending: string;
}

/** Reads the bytes of a file from a place to its end, adds them to a hash, and finds the highest number among them. */
export async function scanDecisions(
  handle: FileHandle,
  path: string,
  { from, to, link }: { readonly from: number; readonly to: number; readonly link: Hash },
): Promise<Scan> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let [highest, rest, ending] = [0, "", "\n"];
  for (let at = from; at < to; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(blockSize, to - at)), 0, null, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    link.update(bytes);
    const text = rest + decode(decoder, bytes, { path, isLast: at >= to });
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    if (text.includes("\r\n")) ending = "\r\n";
    // The last line may go on in the next block.
    rest = lines.pop() ?? "";
    for (const line of lines) highest = Math.max(highest, parseHead(line)?.seq ?? 0);
  }
  return { highest: Math.max(highest, parseHead(rest)?.seq ?? 0), ending };
}

function decode(
  decoder: TextDecoder,
  bytes: Uint8Array,
  { path, isLast }: { readonly path: string; readonly isLast: boolean },
): string {
  try {
    if (bytes.includes(0)) throw new TypeError("NUL");
    return decoder.decode(bytes, { stream: !isLast });
  } catch (cause) {
    throw unreadable(path, "it is binary, or not UTF-8", cause);
  }
}
