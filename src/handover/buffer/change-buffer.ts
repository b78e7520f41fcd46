import { type Candidate, countCandidates, isSameNote, type Note, saysTheSame, toNote } from "../note.ts";
import { type BufferDoc, parseBuffer, rewriteBuffer } from "./buffer-doc.ts";

/** A buffer.md after a change. */
export interface ChangedBuffer {
  readonly text: string;
  /** The notes that were added, without those that were there. */
  readonly added: readonly Note[];
  /** The candidates that were not there before. */
  readonly candidates: readonly Candidate[];
}

const emptyBuffer: BufferDoc = { updated: "", notes: [], candidates: [] };

/** Adds notes, each once whatever its source, and the candidates that they make. The time is set when something was added. */
export function addNotes(
  text: string | undefined,
  notes: readonly Note[],
  { updated, dismissed = new Set() }: { readonly updated: string; readonly dismissed?: ReadonlySet<string> },
): ChangedBuffer {
  const { doc } = text === undefined ? { doc: emptyBuffer } : parseBuffer(text);
  const added: Note[] = [];
  for (const note of notes.flatMap((each) => toNote(each) ?? [])) {
    if (![...doc.notes, ...added].some((each) => saysTheSame(each, note))) added.push(note);
  }
  const candidates = countCandidates(doc.candidates, { known: doc.notes, added }, dismissed);
  const names = new Set(doc.candidates.map(({ name }) => name));
  return {
    text: rewriteBuffer(text, { updated, notes: [...doc.notes, ...added], candidates }),
    added,
    candidates: candidates.filter(({ name }) => !names.has(name)),
  };
}

/** Takes notes out that have been flushed. Others, which came since, and all candidates stay. */
export function clearNotes(text: string, flushed: readonly Note[], updated: string): string {
  const { doc } = parseBuffer(text);
  const notes = doc.notes.filter((note) => !flushed.some((each) => isSameNote(each, note)));
  return rewriteBuffer(text, { ...doc, updated, notes });
}

/** Takes a candidate out, by its name in any case; undefined when there is none. */
export function dismissCandidate(text: string, name: string, updated: string): string | undefined {
  const { doc } = parseBuffer(text);
  const candidates = doc.candidates.filter((each) => each.name.toLowerCase() !== name.toLowerCase());
  if (candidates.length === doc.candidates.length) return undefined;
  return rewriteBuffer(text, { ...doc, updated, candidates });
}
