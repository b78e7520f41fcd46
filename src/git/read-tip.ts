import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Head } from "./read-head.ts";
import { readSmall } from "./read-small.ts";

const [largestRef, largestPack] = [256, 1 << 20];
const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns the commit of the branch that is checked out, without asking git; undefined where only git can tell. */
export function readTip({ commonFolder, branch }: Head): string | undefined {
  if (branch === null) return undefined;
  try {
    const path = join(commonFolder, "refs", "heads", ...branch.split("/"));
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return readPacked(commonFolder, branch);
    return toHash(readSmall(path, largestRef)?.toString("latin1").trimEnd());
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** A line is the hash, a space and the name of the ref. */
function readPacked(commonFolder: string, branch: string): string | undefined {
  const bytes = readSmall(join(commonFolder, "packed-refs"), largestPack);
  const at = bytes?.indexOf(` refs/heads/${branch}\n`) ?? -1;
  const line = bytes?.subarray(0, Math.max(0, at)).toString("latin1");
  return toHash(line?.slice(line.lastIndexOf("\n") + 1));
}

function toHash(text: string | undefined): string | undefined {
  return text !== undefined && hash.test(text) ? text : undefined;
}
