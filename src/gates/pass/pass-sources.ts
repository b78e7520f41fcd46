import { type BigIntStats, lstatSync, statSync } from "node:fs";
import { isWrittenAfter } from "../state/written-after.ts";

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

/** Tells whether something is as it was when a pass was written, and could not have changed since and look the same. */
export function isAsItWas(
  { kind, path, was }: PassSource,
  pass: Pick<BigIntStats, "dev" | "mtimeNs">,
): boolean {
  if (lookAt(kind, path).was !== was) return false;
  if (was === null || kind === "folder") return true;
  const [dev = "", , , , changedAt = ""] = was.split(":");
  return isWrittenAfter(pass, { dev: BigInt(dev), ctimeNs: BigInt(changedAt) });
}

function describe(kind: PassSource["kind"], stats: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs, mode, uid, birthtimeNs } = stats;
  const parts = kind === "folder" ? [dev, ino, mode, uid, birthtimeNs] : [dev, ino, size, mtimeNs, ctimeNs];
  return parts.join(":");
}
