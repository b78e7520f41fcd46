import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type AppError, unlessGone, usageError } from "../lib/app-error.ts";
import { suggest } from "../lib/suggest.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { extractNotes } from "./extract-notes.ts";
import { categoryOf, type Note, type NoteOrigin, noteTags, parseNote, renderOrigin } from "./note.ts";

/** Where a note comes from, as far as options say. */
export type GivenOrigin = Partial<NoteOrigin>;

export const noteWords = [...noteTags, "flush", "candidates"] as const;

/**
 * Reads the first word of `carryon note`: a tag, or something to do with notes, in any case; undefined when it is the
 * text of a note. A typing error of a known word is refused.
 */
export function parseNoteWord(
  word: string,
  text: string | undefined,
): (typeof noteWords)[number] | undefined {
  const known = noteWords.find((each) => each.toLowerCase() === word.toLowerCase());
  const near = known === undefined ? suggest(word, noteWords) : [];
  if (known !== undefined || (text === undefined && near.length === 0)) return known;
  throw badNote(
    `${JSON.stringify(word.slice(0, 80))} is neither a tag nor something to do with notes.`,
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `There are: ${noteWords.join(", ")}.`,
  );
}

/** Tells whether a project has specs, so that a note says in which of them something was learned. */
export async function hasSpecs({ root, sddDir }: HandoverPlace): Promise<boolean> {
  return (await unlessGone(lstat(join(root, sddDir, "project", "specs")))) !== undefined;
}

/** The source of a note that a person takes outside of any spec. */
const bySomeone = "user";

/** How a note is made of what was typed. */
interface GivenNote extends GivenOrigin {
  readonly category?: string | undefined;
  /** Whether the note is refused without a spec, a role and a task. */
  readonly needsOrigin?: boolean;
}

/** A text as it was typed, without its own tag and source; its source is "" where it has none. */
interface TypedText extends Pick<Note, "text" | "source"> {
  readonly tag: Note["tag"] | undefined;
}

/** Reads a text that may be a line of a report, with its tag and its source. A tag beside it must be the same. */
export function readTypedText(text: string, tag?: Note["tag"]): TypedText {
  // A secret of several lines is one only before they are joined; any other is hidden, and named, when the note is taken.
  const safe = text.includes("\n") ? hideSecrets(text) : text;
  const own = parseNote(safe);
  if (own === undefined) return { text: safe, source: "", ...parseNote(`[REFERENCE] ${safe}`), tag };
  if (tag === undefined || own.tag === tag) return own;
  throw badNote(`The text has the tag ${own.tag}, and ${tag} was given.`, "Leave out one of the two.");
}

/** Makes a note of what was typed. The source in the text counts before one that is given, as it does in a report. */
export function toGivenNote(
  given: Note["tag"] | undefined,
  typed: string | undefined,
  { category, needsOrigin = false, ...origin }: GivenNote,
): Note {
  const { tag = "REFERENCE", text, source: own } = readTypedText(typed ?? "", given);
  if (text.trim() === "") throw badNote("There is no text to note.", `Write it after ${tag}.`);
  const options = toSource(origin);
  const source = own || options;
  if (source === "" && needsOrigin)
    throw badNote("In a project with specs a note needs its origin.", "Add `--spec`, `--role` and `--task`.");
  return { tag, text: addCategory(text, category), source: source || bySomeone };
}

/** Returns the notes of a report. A source that is given is for those without one; where there are specs, each must have one. */
export function toReportedNotes(
  report: string,
  given: string,
  { needsOrigin }: Pick<GivenNote, "needsOrigin">,
): readonly Note[] {
  const notes = extractNotes(report, given || (needsOrigin ? "" : bySomeone));
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
