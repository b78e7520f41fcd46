import { isOwn, type RecordedEvent, textsOf } from "../document-record.ts";
import { renderNote } from "../note.ts";
import { type BufferDoc, parseBuffer } from "./buffer-doc.ts";

/**
 * Returns the notes that this user is known to have taken, as they are written: all of a version that has nobody
 * else's words, and those that are counted in the facts of another one.
 */
export function ownNotesIn(newest: RecordedEvent | undefined): readonly string[] {
  const { own, text } = newest?.data ?? {};
  if (newest !== undefined && isOwn(newest))
    return typeof text === "string" ? parseBuffer(text).doc.notes.map(renderNote) : [];
  return textsOf(own);
}

/** What of a buffer.md is this user's, and how many of its entries are not. */
export interface OwnPart {
  readonly doc: BufferDoc;
  readonly others: number;
}

/** Takes what others wrote out of a buffer.md. Candidates go too: their names are made of the words of all notes. */
export function withoutOthers(doc: BufferDoc, own: readonly string[]): OwnPart {
  const known = new Set(own);
  const notes = doc.notes.filter((note) => known.has(renderNote(note)));
  return {
    doc: { ...doc, notes, candidates: [] },
    others: doc.notes.length - notes.length + doc.candidates.length,
  };
}
