import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readSmall } from "./read-small.ts";

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
