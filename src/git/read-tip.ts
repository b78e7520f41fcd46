import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Head } from "./read-head.ts";
import { readSmall } from "./read-small.ts";

const [largestRef, largestPack] = [4096, 1 << 20];
const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns the commit that is checked out, without asking git: null before the first one, undefined where only git can tell. */
export function readTip({ gitFolder, commonFolder, branch }: Head): string | null | undefined {
  try {
    if (branch === null) return readHash(join(gitFolder, "HEAD"));
    const path = join(commonFolder, "refs", "heads", ...branch.split("/"));
    return isThere(path) ? readHash(path) : readPacked(join(commonFolder, "packed-refs"), branch);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function readHash(path: string): string | undefined {
  return toHash(readSmall(path, largestRef)?.toString("latin1").trimEnd());
}

/** A line is the hash, a space and the name of the ref. */
function readPacked(path: string, branch: string): string | null | undefined {
  if (!isThere(path)) return null;
  const bytes = readSmall(path, largestPack);
  if (bytes === undefined) return undefined;
  const at = bytes.indexOf(` refs/heads/${branch}\n`);
  if (at === -1) return null;
  const line = bytes.subarray(0, at).toString("latin1");
  return toHash(line.slice(line.lastIndexOf("\n") + 1));
}

function toHash(text: string | undefined): string | undefined {
  return text !== undefined && hash.test(text) ? text : undefined;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
