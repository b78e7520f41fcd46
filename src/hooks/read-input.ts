import { readSync } from "node:fs";
import { isSystemError } from "../lib/app-error.ts";

/** Reads standard input to its end; undefined when there is more of it than the limit. */
export function readInput(limit: number): string | undefined {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const length = readChunk(chunk);
    if (length === 0) return Buffer.concat(chunks, size).toString();
    size += length;
    if (size > limit) return undefined;
    chunks.push(chunk.subarray(0, length));
  }
}

function readChunk(chunk: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      // Windows says so at the end of a pipe.
      if (isSystemError(error, "EOF")) return 0;
      // Whoever shares the pipe may have made it one that does not wait.
      if (!isSystemError(error, "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
