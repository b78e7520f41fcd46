import { type BigIntStats, lstatSync, statSync } from "node:fs";

/**
 * Something on the disk that decides what gates say: a file, which is another one whenever it changed; a file behind a
 * link, if it is one; or a folder, which stays the same whatever happens in it.
 */
export interface PassSource {
  readonly kind: "file" | "linked" | "folder";
  readonly path: string;
  /** How it was; null where nothing was there. */
  readonly was: string | null;
}

/** Looks at how something on the disk is now. */
export function lookAt(kind: PassSource["kind"], path: string): PassSource {
  const look = kind === "linked" ? statSync : lstatSync;
  const stats = look(path, { bigint: true, throwIfNoEntry: false });
  return { kind, path, was: stats === undefined ? null : describe(kind, stats) };
}

/**
 * Tells whether something is as it was, and became so before a pass was written, by the clock of its disk. Times of files
 * are coarse: one that changed in the same moment could change again and look the same; one that is older cannot.
 */
export function isAsItWas(
  { kind, path, was }: PassSource,
  pass: Pick<BigIntStats, "dev" | "mtimeNs">,
): boolean {
  if (lookAt(kind, path).was !== was) return false;
  if (was === null || kind === "folder") return true;
  const [dev = "", , , , changedAt = ""] = was.split(":");
  return pass.mtimeNs > BigInt(changedAt) + (BigInt(dev) === pass.dev ? 0n : apart);
}

/** Nanoseconds by which the clocks of two disks may differ. */
const apart = 2_000_000_000n;

function describe(kind: PassSource["kind"], stats: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs, mode, uid, birthtimeNs } = stats;
  const parts = kind === "folder" ? [dev, ino, mode, uid, birthtimeNs] : [dev, ino, size, mtimeNs, ctimeNs];
  return parts.join(":");
}
