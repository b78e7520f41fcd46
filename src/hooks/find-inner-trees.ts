import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** What stands between the words of a command, as far as paths go. */
const between = /[\s"'`;|&<>()${},=:]+/;

/** Of a longer text, more words or more folders than this, the rest is not looked at: nobody writes that by hand. */
const [longest, mostWords, deepest] = [20_000, 50, 12];

/**
 * Returns the tops of the work trees below a folder into which a command names a way: one below another as far as names tell.
 * Costs one look at the disk for each folder that is named.
 */
export function findInnerTrees(command: string, cwd: string): readonly string[] {
  const words = new Set(command.slice(0, longest).split(between).filter(isInner));
  const looked = new Map<string, boolean>();
  const isTop = (folder: string): boolean => {
    const known = looked.get(folder) ?? existsSync(join(folder, ".git"));
    looked.set(folder, known);
    return known;
  };
  const tops = [...words].slice(0, mostWords).flatMap((word) => {
    const names = word.split("/").filter((name) => name !== "" && name !== ".");
    const folders = names.slice(0, deepest).map((_, index) => resolve(cwd, ...names.slice(0, index + 1)));
    return folders.findLast(isTop) ?? [];
  });
  return [...new Set(tops)];
}

/** Tells whether a word may name something below where a command runs; others are found by how they begin. */
function isInner(word: string): boolean {
  return /^[^/~-]/.test(word) && !/^\.{1,2}$|^\.\.\//.test(word) && !word.includes("\0");
}
