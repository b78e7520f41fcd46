import { type AppError, usageError } from "../lib/app-error.ts";
import { suggest } from "../lib/suggest.ts";
import { extractNotes } from "./extract-notes.ts";
import { categoryOf, type Note, type NoteOrigin, noteTags, renderOrigin } from "./note.ts";

/** Where a note comes from, as far as options say. */
export type GivenOrigin = Partial<NoteOrigin>;

export const noteWords = [...noteTags, "flush", "candidates"] as const;

/** Reads the first word of `carryon note`: a tag, or what is to be done, in whatever case. */
export function parseNoteWord(text: string): (typeof noteWords)[number] {
  const known = noteWords.find((each) => each.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known;
  const near = suggest(text, noteWords);
  throw badNote(
    `${JSON.stringify(text.slice(0, 80))} is neither a tag nor something to do with notes.`,
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `There are: ${noteWords.join(", ")}.`,
  );
}

/** Makes a note of what was typed. */
export function toGivenNote(
  tag: Note["tag"],
  text: string | undefined,
  { category, ...origin }: GivenOrigin & { readonly category?: string | undefined },
): Note {
  if (text === undefined || text.trim() === "")
    throw badNote("There is no text to note.", `Write it after ${tag}.`);
  const source = toSource(origin);
  if (source === "") throw badNote("A note needs its origin.", "Add `--spec`, `--role` and `--task`.");
  return { tag, text: addCategory(text, category), source };
}

/** Returns the notes of a report, of which each must have its origin; a source that is given is for those without. */
export function toReportedNotes(report: string, given: string): readonly Note[] {
  const notes = extractNotes(report, given);
  const first = notes.find(({ source }) => source === "");
  if (first === undefined) return notes.map(({ line: _line, ...note }) => note);
  throw badNote(
    `The note in line ${first.line} of the report needs its origin.`,
    "Write `(source: SPEC ROLE, task N)` at its end, or add `--spec`, `--role` and `--task`, which are for all notes without one.",
  );
}

/** Returns the origin as it is written, or "" when none is given; half of one is refused. */
export function toSource({ spec, role, task }: GivenOrigin): string {
  const missing = Object.entries({ spec, role, task }).filter(([, text]) => (text ?? "").trim() === "");
  if (missing.length === 3) return "";
  if (spec !== undefined && role !== undefined && task !== undefined && missing.length === 0)
    return renderOrigin({ spec, role, task });
  const options = missing.map(([name]) => `\`--${name}\``);
  throw badNote("The origin of a note is a spec, a role and a task.", `Add ${options.join(" and ")}.`);
}

function addCategory(text: string, category: string | undefined): string {
  if (category === undefined || categoryOf({ text }) === category.toLowerCase()) return text;
  const prefixed = `${category}: ${text}`;
  if (categoryOf({ text: prefixed }) === category.toLowerCase()) return prefixed;
  throw badNote(`${JSON.stringify(category.slice(0, 80))} is no category.`, "Use one word, such as `api`.");
}

/** Says that a note cannot be taken as it was given. */
export function badNote(message: string, hint: string): AppError {
  return usageError("bad-note", message, { hint });
}
