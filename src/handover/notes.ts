import { readDocument } from "../lib/markdown/read-document.ts";
import type { JsonObject } from "../sessions/entry.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { parseBuffer } from "./buffer/buffer-doc.ts";
import { addNotes, type ChangedBuffer, dismissCandidate } from "./buffer/change-buffer.ts";
import { type Flush, flushNotes } from "./buffer/flush-notes.ts";
import { ownNotesIn } from "./buffer/own-notes.ts";
import type { Candidate } from "./candidate.ts";
import { renderTime } from "./decisions/render-decision.ts";
import {
  DocumentRecord,
  keepVersions,
  type RecordSite,
  replaceDocument,
  textsOf,
} from "./document-record.ts";
import { locateHandover } from "./handover-folder.ts";
import { isSameNote, type Note, renderNote } from "./note.ts";
import { readKnown, strangerIn } from "./session/session-basis.ts";
import type { SessionDesk } from "./session-work.ts";

/** Where the work on a buffer.md happens. */
type BufferDesk = Pick<SessionDesk, "site" | "handover" | "git">;

/** Adds notes to buffer.md, each once, and the candidates that they make. Without anything new nothing is written. */
export async function takeNotes(
  desk: BufferDesk,
  notes: readonly Note[],
): Promise<Omit<ChangedBuffer, "text">> {
  const { record, previous, outside, dismissed, updated, factsOf } = await open(desk);
  const { text, added, candidates } = addNotes(previous, notes, { updated, dismissed: new Set(dismissed) });
  if (added.length > 0) {
    const facts = factsOf(text, { added });
    await replaceDocument(record, { path: desk.handover.buffer, previous, outside, text, facts });
  }
  return { added, candidates };
}

/** How many of the newest versions are looked through for notes that were flushed. */
const versionsToSearch = 200;

/**
 * Returns those of some notes that were not flushed from a moment on.
 *
 * A version with a note does not prove that buffer.md had it: its writer may have been killed between the log and the
 * document. A later version without any notes does.
 */
export async function withoutFlushed(
  site: RecordSite,
  notes: readonly Note[],
  since: Date,
): Promise<readonly Note[]> {
  const versions: (readonly Note[])[] = [];
  for await (const { at, data } of new DocumentRecord(site, "buffer.md").read(versionsToSearch))
    if (at >= since && typeof data.text === "string") versions.push(parseBuffer(data.text).doc.notes);
  const last = versions.findLastIndex((each) => each.length === 0);
  const flushed = versions.slice(0, last + 1).flat();
  return notes.filter((note) => !flushed.some((each) => isSameNote(each, note)));
}

/** Moves the notes of buffer.md into the knowledge of the project. */
export async function flush(desk: BufferDesk): Promise<Flush> {
  const { record, previous, outside, updated, factsOf } = await open(desk);
  return flushNotes(desk.handover, updated, {
    announce: (text) => keepVersions(record, { previous, outside, text, facts: factsOf(text) }),
  });
}

/** Takes a candidate out of buffer.md, for good; returns whether there was one of this name. */
export async function dismiss(desk: BufferDesk, name: string): Promise<boolean> {
  const { record, previous, outside, dismissed, updated, factsOf } = await open(desk);
  const text = previous === undefined ? undefined : dismissCandidate(previous, name, updated);
  if (text === undefined) return false;
  const names = [...new Set([...dismissed, name.toLowerCase()])];
  const facts = { ...factsOf(text), dismissed: names };
  await replaceDocument(record, { path: desk.handover.buffer, previous, outside, text, facts });
  return true;
}

async function open({ site, handover, git }: BufferDesk) {
  const record = new DocumentRecord(site, "buffer.md");
  const newest = await record.newest();
  const known = await readKnown(record, { root: handover.place.root, path: handover.buffer, git });
  const carries = known && strangerIn(known);
  const dismissed = textsOf(newest?.data.dismissed);
  return {
    ...{ record, dismissed, previous: known?.text, outside: known?.outside },
    updated: renderTime(site.clock.now()),
    /** What is to be known of a new version; where it has the words of others, also which notes are this user's. */
    factsOf: (text: string, { added = [] }: { readonly added?: readonly Note[] } = {}): JsonObject => {
      if (carries === undefined) return { dismissed };
      const there = new Set(parseBuffer(text).doc.notes.map(renderNote));
      const own = [...ownNotesIn(newest), ...added.map(renderNote)].filter((note) => there.has(note));
      return { dismissed, carries, own: [...new Set(own)] };
    },
  };
}

/** Returns the skill candidates of a project. */
export async function findCandidates(place: HandoverPlace): Promise<readonly Candidate[]> {
  const text = await readDocument(place.root, locateHandover(place).buffer);
  return text === undefined ? [] : parseBuffer(text).doc.candidates;
}
