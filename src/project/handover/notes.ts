import { addNotes, type ChangedBuffer, dismissCandidate } from "../../handover/buffer/change-buffer.ts";
import { type Flush, flushNotes } from "../../handover/buffer/flush-notes.ts";
import type { Note } from "../../handover/buffer/note.ts";
import { renderTime } from "../../handover/decisions/render-decision.ts";
import type { OpenHandover } from "../../handover/handover-folder.ts";
import { readDocument } from "../../handover/read-document.ts";
import { DocumentRecord, type RecordSite } from "./document-record.ts";
import { keepVersions, replaceDocument } from "./document-versions.ts";

/** Adds notes to buffer.md, each once, and the candidates that they make. Without anything new nothing is written. */
export async function takeNotes(
  site: RecordSite,
  handover: OpenHandover,
  notes: readonly Note[],
): Promise<Omit<ChangedBuffer, "text">> {
  const { record, previous, dismissed, updated } = await open(site, handover);
  const { text, added, candidates } = addNotes(previous, notes, { updated, dismissed: new Set(dismissed) });
  if (added.length > 0)
    await replaceDocument(record, { path: handover.buffer, previous, text, facts: { dismissed } });
  return { added, candidates };
}

/** Moves the notes of buffer.md into the knowledge of the project. */
export async function flush(site: RecordSite, handover: OpenHandover): Promise<Flush> {
  const { record, previous, dismissed, updated } = await open(site, handover);
  return flushNotes(handover, updated, {
    announce: (text) => keepVersions(record, { previous, text, facts: { dismissed } }),
  });
}

/** Takes a candidate out of buffer.md, for good; returns whether there was one of this name. */
export async function dismiss(site: RecordSite, handover: OpenHandover, name: string): Promise<boolean> {
  const { record, previous, dismissed, updated } = await open(site, handover);
  const text = previous === undefined ? undefined : dismissCandidate(previous, name, updated);
  if (text === undefined) return false;
  const facts = { dismissed: [...new Set([...dismissed, name.toLowerCase()])] };
  await replaceDocument(record, { path: handover.buffer, previous, text, facts });
  return true;
}

async function open(site: RecordSite, { place, buffer }: OpenHandover) {
  const record = new DocumentRecord(site, "buffer.md");
  const names = (await record.newest())?.data.dismissed;
  return {
    record,
    previous: await readDocument(place.root, buffer),
    dismissed: Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
    updated: renderTime(site.clock.now()),
  };
}
