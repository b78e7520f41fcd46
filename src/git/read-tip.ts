import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readSmall } from "./git-place.ts";
import type { Head } from "./read-head.ts";

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

/** Longer histories are packed, and git walks those faster. */
const [mostCommits, largestCommit] = [100, 1 << 16];

/**
 * Returns the first commit of all that lead to one, without asking git; undefined where there are several, where a
 * commit lies in a pack, and where only git can tell.
 */
export function readFirstCommit(commonFolder: string, tip: string): string | undefined {
  // Both give commits other parents.
  if (existsSync(join(commonFolder, "info", "grafts")) || hasReplaced(commonFolder)) return undefined;
  const firsts: string[] = [];
  const found = new Set([tip]);
  for (const commit of found) {
    const parents = found.size > mostCommits ? undefined : readParents(commonFolder, commit);
    if (parents === undefined) return undefined;
    if (parents.length === 0) firsts.push(commit);
    for (const parent of parents) found.add(parent);
  }
  return firsts.length === 1 ? firsts[0] : undefined;
}

function hasReplaced(commonFolder: string): boolean {
  const folder = join(commonFolder, "refs", "replace");
  // Refs are packed together with others.
  return (
    existsSync(join(commonFolder, "packed-refs")) || (existsSync(folder) && readdirSync(folder).length > 0)
  );
}

function readParents(commonFolder: string, commit: string): readonly string[] | undefined {
  try {
    const bytes = readSmall(
      join(commonFolder, "objects", commit.slice(0, 2), commit.slice(2)),
      largestCommit,
    );
    const { inflateSync } = process.getBuiltinModule("node:zlib");
    const text = bytes && inflateSync(bytes, { maxOutputLength: largestCommit }).toString("latin1");
    const [, header] = /^commit \d+\0(tree [0-9a-f]+\n(?:parent [0-9a-f]+\n)*)author /.exec(text ?? "") ?? [];
    if (header === undefined) return undefined;
    return Array.from(header.matchAll(/^parent ([0-9a-f]+)$/gm), ([, parent = ""]) => parent);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
