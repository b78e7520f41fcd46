import { type AppError, usageError } from "../../lib/app-error.ts";
import { cutText } from "../../memory/quote.ts";
import type { Entry } from "../../sessions/entry.ts";
import { describeEntry, type EntryView } from "./describe-entry.ts";

/** A place in a session: an entry, and how many characters of it were told already. */
export interface Place {
  readonly seq: number;
  readonly told: number;
}

/** A part of a session that fits into one answer. */
export interface Page {
  readonly text: string;
  /** Where to go on; undefined at the end. */
  readonly next: Place | undefined;
}

/** Describes entries until there is no more room; an entry that has more than there is room for goes on in the next page. */
export async function pageEntries(
  entries: AsyncIterable<Entry>,
  { room, told = 0, ...view }: EntryView & { readonly room: number; readonly told?: number },
): Promise<Page> {
  let text = "";
  let skip = told;
  for await (const entry of entries) {
    const { seq } = entry;
    const rest = describeEntry(entry, view).slice(skip);
    if (text.length + rest.length > room) {
      const isFirst = text === "";
      const kept = isFirst ? cutText(rest, room) : "";
      return { text: text + kept, next: { seq, told: isFirst ? skip + kept.length : 0 } };
    }
    text += rest;
    skip = 0;
  }
  return { text, next: undefined };
}

/** Renders a place as the cursor that an answer ends with. */
export function renderPlace({ seq, told }: Place): string {
  return told === 0 ? String(seq) : `${seq}.${told}`;
}

/** Reads a cursor. */
export function parsePlace(text: string): Place {
  const [, seq, told = "0"] = /^([1-9]\d{0,9})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  if (seq === undefined) throw badCursor(text);
  return { seq: Number(seq), told: Number(told) };
}

/** Makes the error of a cursor that no answer ended with. */
function badCursor(text: string): AppError {
  return usageError("bad-cursor", `${JSON.stringify(text.slice(0, 80))} is no cursor.`, {
    hint: "Give the one that the answer before ended with, or none to begin anew.",
  });
}
