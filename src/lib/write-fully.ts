import type { FileHandle } from "node:fs/promises";

/** The most that all systems take in one call. */
const largest = 2 ** 30;

/**
 * Writes all bytes at the current position of a file, in as many calls as it takes.
 *
 * A disk that fills up takes part of the bytes and reports no error until the next call.
 */
export async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const size = Math.min(bytes.byteLength - written, largest);
    const { bytesWritten } = await handle.write(bytes, written, size, null);
    if (bytesWritten === 0) throw new Error("the system took no bytes and gave no reason");
    written += bytesWritten;
  }
}
