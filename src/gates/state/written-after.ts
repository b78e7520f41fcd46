import type { BigIntStats } from "node:fs";

/** Nanoseconds by which the clocks of two disks may differ. */
const apart = 2_000_000_000n;

/**
 * Tells whether what was derived from a file was written after the file changed last, by the clocks of their disks. Times
 * of files are coarse: a file that changed in the same moment could change again and look the same; an older one cannot.
 */
export function isWrittenAfter(
  derived: Pick<BigIntStats, "dev" | "mtimeNs">,
  source: Pick<BigIntStats, "dev" | "ctimeNs">,
): boolean {
  return derived.mtimeNs > source.ctimeNs + (source.dev === derived.dev ? 0n : apart);
}
