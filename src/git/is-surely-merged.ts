import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Beyond this git is as fast. */
const largestIndex = 4 << 20;

/** How many bytes an entry has before its name, and the checksum at the end of the file, where hashes are SHA-1. */
const [beforeName, checksum] = [62, 20];

/**
 * Tells whether the index of a work tree has no file in which a merge has left conflicts, without asking git. False also
 * where only git can tell.
 */
export function isSurelyMerged(gitFolder: string): boolean {
  const path = join(gitFolder, "index");
  const stats = statSync(path, { throwIfNoEntry: false });
  // Git makes it with the first file.
  if (stats === undefined) return true;
  if (!stats.isFile() || stats.size > largestIndex) return false;
  const index = readFileSync(path);
  const end = index.length < 12 + checksum ? undefined : findEnd(index);
  return end !== undefined && hasOnlyOwnParts(index, end);
}

/** Returns where the entries end if none has a stage, as those with conflicts have, else undefined. */
function findEnd(index: Buffer): number | undefined {
  const [sign, version, count] = [
    index.toString("latin1", 0, 4),
    index.readUInt32BE(4),
    index.readUInt32BE(8),
  ];
  // A fourth version shortens names.
  if (sign !== "DIRC" || (version !== 2 && version !== 3)) return undefined;
  let at = 12;
  for (let entry = 0; entry < count; entry += 1) {
    const next = findNext(index, at);
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

/** An entry ends with its name, and one to eight zeros that fill it up. */
function findNext(index: Buffer, at: number): number | undefined {
  if (at + beforeName > index.length) return undefined;
  const flags = index.readUInt16BE(at + beforeName - 2);
  const [isExtended, stage, length] = [(flags & 0x4000) !== 0, flags & 0x3000, flags & 0xfff];
  const name = at + beforeName + (isExtended ? 2 : 0);
  const end = index.indexOf(0, name);
  // A longer name says only that it is.
  const isWhole = length === 0xfff ? end - name >= length : end - name === length;
  return stage === 0 && end >= 0 && isWhole ? at + ((end - at + 8) & ~7) : undefined;
}

/** Tells whether nothing but parts that may be passed over follows: another file may hold entries, and says so with a link. */
function hasOnlyOwnParts(index: Buffer, from: number): boolean {
  let at = from;
  while (at + 8 <= index.length - checksum) {
    if (!/^[A-Z]/.test(index.toString("latin1", at, at + 1))) return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === index.length - checksum;
}
