import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * Returns the bytes of a regular file of so many bytes at most; undefined for a larger one and for what is no file. A
 * link is not followed: that throws, as a missing file does.
 */
export function readSmall(path: string, largest: number): Buffer | undefined {
  // Without it, a pipe that somebody has put here would be waited for.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = openSync(path, flags);
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= largest ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
