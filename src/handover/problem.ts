import { conflictError } from "../lib/app-error.ts";
import { splitLines } from "../lib/markdown/split-lines.ts";
import type { Outline } from "./markdown/outline.ts";

/** Something wrong with a document that can be read nevertheless. It is reported and nothing is changed because of it. */
export interface Problem {
  readonly code: ProblemCode;
  /** The line, counted from 1. */
  readonly line: number;
  readonly message: string;
}

type ProblemCode =
  | "bad-yaml"
  | "conflict-marker"
  | "left-open"
  | "repeated-number"
  | "repeated-section"
  | "torn-entry"
  | "unknown-decision"
  | "unknown-phase"
  | "unreadable";

/** Tells whether a line is one that a git merge puts around what it could not join. */
export function isConflictMarker(line: string): boolean {
  return /^(?:<{7}|>{7}|\|{7})(?: |$)/.test(line);
}

/** Returns the numbers, from 1, of the lines that an unfinished git merge has left in a text. */
function findConflicts(text: string): readonly number[] {
  const lines = splitLines(text).map(({ start, end }) => text.slice(start, end));
  const found = lines.flatMap((line, index) => (isConflictMarker(line) ? [index + 1] : []));
  if (found.length === 0) return [];
  // Alone, it is the underline of a heading.
  const between = lines.flatMap((line, index) => (line === "=======" ? [index + 1] : []));
  return [...found, ...between].sort((one, other) => one - other);
}

/** Reports the lines that an unfinished git merge has left in a text. */
export function describeConflicts(text: string, firstLine = 1): readonly Problem[] {
  const message = "a git merge left its mark here";
  return findConflicts(text).map((line) => ({
    code: "conflict-marker",
    line: line + firstLine - 1,
    message,
  }));
}

/** Reports what a document leaves open; nothing after it is read. */
export function describeOpen({ open }: Pick<Outline, "open">): readonly Problem[] {
  if (open === undefined) return [];
  const message = `what begins here is never closed with ${open.closer}, so that no section after it is read`;
  return [{ code: "left-open", line: open.line + 1, message }];
}

/**
 * Throws when a document leaves a fence or a piece of HTML open. Nobody knows where it was to end, and what was written
 * below it would be swallowed too.
 */
export function refuseLeftOpen({ open }: Pick<Outline, "open">, name: string): void {
  if (open === undefined) return;
  throw conflictError(
    "left-open",
    `What begins in line ${open.line + 1} of ${name} is never closed, so that no section after it can be read.`,
    { hint: `Write ${open.closer} on a line of its own where it ends, then try again; nothing was written.` },
  );
}

/** Throws when a document still has the marks of a git merge: nobody knows which side counts. */
export function refuseUnfinishedMerge(text: string): void {
  const lines = findConflicts(text);
  if (lines.length === 0) return;
  throw conflictError(
    "unfinished-merge",
    `A git merge left its marks in the document, in lines ${lines.join(", ")}.`,
    { hint: "Finish the merge by hand, then try again; nothing was written." },
  );
}
