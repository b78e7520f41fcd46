import { join } from "node:path";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { markOf, withoutMark } from "../lib/markdown/byte-order-mark.ts";
import { readDocument } from "../lib/markdown/read-document.ts";
import { lineEndingOf, toUnixLines } from "../lib/markdown/split-lines.ts";
import { toSlug } from "../lib/slug.ts";
import { sha256 } from "../sessions/chain.ts";
import type { JsonObject } from "../sessions/entry.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { ownNotesIn, parseBuffer } from "./buffer/buffer-doc.ts";
import { addNotes, type ChangedBuffer, clearNotes, dismissCandidate } from "./buffer/change-buffer.ts";
import { renderTime } from "./decision.ts";
import {
  DocumentRecord,
  keepVersions,
  type RecordSite,
  refuseReadOnly,
  replaceDocument,
  textsOf,
} from "./document-record.ts";
import { ensureFolder, locateHandover, type OpenHandover } from "./handover-folder.ts";
import { addItems, itemsOf } from "./list-items.ts";
import { outlineOf } from "./markdown/outline.ts";
import { type Candidate, categoryOf, isSameNote, type Note, parseNote, renderNote } from "./note.ts";
import { readKnown, strangerIn } from "./session/session-basis.ts";
import type { SessionDesk } from "./session-work.ts";

const longestName = 48;

/** Returns the name of the file that a note is flushed to: `{tag}-{category}-{kebab-name}.md`. */
export function knowledgeFileOf(note: Note): string {
  const category = categoryOf(note);
  const rest = note.text.startsWith(":", category.length) ? note.text.slice(category.length + 1) : note.text;
  return `${note.tag.toLowerCase()}-${toName(category)}-${toName(rest)}.md`;
}

/** Words of a script that has no letters a to z have a name of their own, which is always the same. */
function toName(text: string): string {
  const slug = toSlug(text);
  const short = slug.length <= longestName ? slug : slug.slice(0, longestName).replace(/-[^-]*$/, "");
  return short === "" ? sha256(text.trim()).slice(0, 8) : short;
}

/** Returns a file of knowledge with notes added to it, each text once, with all its sources. */
export function addKnowledge(text: string | undefined, notes: readonly Note[]): string {
  const [first] = notes;
  if (first === undefined) return text ?? "";
  const before = text ?? `# ${categoryOf(first)}\n`;
  const plain = toUnixLines(withoutMark(before));
  let after = plain;
  for (const note of notes) after = addOne(after, note);
  if (after === plain) return before;
  return markOf(before) + after.replaceAll("\n", lineEndingOf(before));
}

function addOne(text: string, note: Note): string {
  const items = itemsOf(text).map((item) => ({ ...item, note: parseNote(item.text) }));
  const same = items.find((each) => each.note?.tag === note.tag && each.note.text === note.text);
  if (same?.note === undefined) {
    const { open } = outlineOf(text);
    const closed = open === undefined ? text : `${text}\n${open.closer}`;
    return `${addItems(closed.trimEnd(), [renderNote(note)], "bullets")}\n`;
  }
  const sources = same.note.source.split("; ");
  if (note.source === "" || sources.includes(note.source)) return text;
  const source = [...sources, note.source].filter((each) => each !== "").join("; ");
  return `${text.slice(0, same.start)}${same.marker} ${renderNote({ ...note, source })}${text.slice(same.end)}`;
}

/** What a flush has written. */
export interface Flush {
  readonly notes: readonly Note[];
  /** The files of knowledge that hold them, whether they are new or not. */
  readonly files: readonly string[];
}

interface FlushOptions {
  /** Is told what buffer.md will say, before it is written. */
  readonly announce?: (cleared: string) => Promise<void>;
}

/**
 * Moves the notes of buffer.md into the knowledge of the project.
 *
 * All of them are on disk there before they are taken out of the buffer: a crash in between leaves both, and the next
 * flush adds nothing twice.
 */
export async function flushNotes(
  handover: OpenHandover,
  updated: string,
  { announce }: FlushOptions = {},
): Promise<Flush> {
  const { place, buffer, knowledge } = handover;
  const text = await readDocument(place.root, buffer);
  const notes = text === undefined ? [] : parseBuffer(text).doc.notes;
  if (text === undefined || notes.length === 0) return { notes: [], files: [] };
  await refuseReadOnly(buffer);
  const cleared = clearNotes(text, notes, updated);
  await ensureFolder(place.root, knowledge);
  const files = Map.groupBy(notes, knowledgeFileOf);
  for (const [name, own] of files) {
    const path = join(knowledge, name);
    const before = await readDocument(place.root, path);
    const after = addKnowledge(before, own);
    if (after === before) continue;
    await refuseReadOnly(path);
    await writeFileAtomically(path, after);
  }
  await announce?.(cleared);
  await writeFileAtomically(buffer, cleared);
  return { notes, files: [...files.keys()].map((name) => join(knowledge, name)) };
}

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
