import { splitLines } from "../../lib/markdown/split-lines.ts";

/** Tells whether a line is one that a git merge puts around what it could not join. */
export function isConflictMarker(line: string): boolean {
  return /^(?:<{7}|>{7}|\|{7})(?: |$)/.test(line);
}

/** Returns the numbers, from 1, of the lines that an unfinished git merge has left in a text. */
export function findConflicts(text: string): readonly number[] {
  const lines = splitLines(text).map(({ start, end }) => text.slice(start, end));
  const found = lines.flatMap((line, index) => (isConflictMarker(line) ? [index + 1] : []));
  if (found.length === 0) return [];
  // Alone, it is the underline of a heading.
  const between = lines.flatMap((line, index) => (line === "=======" ? [index + 1] : []));
  return [...found, ...between].sort((one, other) => one - other);
}
