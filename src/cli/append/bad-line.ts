import { AppError } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import { EntryConflict, type EntryNotFound } from "../../sessions/errors.ts";
import { maxLineBytes } from "./open-lines.ts";

/** Says why a line holds no value. */
export function notAnEntry(reason: string): AppError {
  const limit = `${maxLineBytes / 1_000_000} MB`;
  const named = reason === "longer than the limit" ? `longer than the limit of ${limit}` : reason;
  return new AppError(`It is ${named}.`, { kind: "usage", code: "bad-entry" });
}

/** Says why the log refused the entry of a line. */
export function refusedByLog(error: EntryConflict | EntryNotFound, entry: NewEntry): AppError {
  const { kind, code } = error;
  if (error instanceof EntryConflict) {
    const message = `Its id ${entry.id} is already in the session with other content.`;
    return new AppError(message, { kind, code, hint: error.hint, cause: error });
  }
  return new AppError(`Its parent ${entry.parent} is not in the session.`, {
    kind,
    code,
    hint: "Name an entry that is stored before it, or leave the parent out.",
    cause: error,
  });
}

/** Says which line ended the input, and what of it is stored. */
export function badLine(number: number, reason: AppError, saved: number): AppError {
  return new AppError(`Line ${number} was refused: ${reason.message} ${describeSaved(saved)}`, {
    kind: reason.kind,
    code: reason.kind === "conflict" ? reason.code : "bad-line",
    hint: reason.hint ?? "Mend the line, or skip bad lines with --keep-going.",
    cause: reason,
  });
}

function describeSaved(saved: number): string {
  if (saved === 0) return "No entry was saved.";
  const before = saved === 1 ? "The entry before it is" : `The ${saved} entries before it are`;
  return `${before} saved, the rest of the input is not.`;
}

/** Says how many lines were left out of an input that was read to its end. */
export function linesSkipped({
  skipped,
  saved,
}: {
  readonly skipped: number;
  readonly saved: number;
}): AppError {
  const others = saved === 0 ? "no entry was saved" : "all others are saved";
  return new AppError(`${plural(skipped, "line")} could not be appended; ${others}.`, {
    kind: "usage",
    code: "lines-skipped",
  });
}
