import { markOf, withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import { isOwn, type RecordedEvent, textsOf } from "../document-record.ts";
import { sectionDepth } from "../markdown/contain.ts";
import { insertLines, lineText, type Outline, outlineOf, replaceLines } from "../markdown/outline.ts";
import {
  type Candidate,
  isSameNote,
  type Note,
  parseCandidate,
  parseNote,
  renderCandidate,
  renderNote,
} from "../note.ts";
import {
  describeConflicts,
  describeOpen,
  type Problem,
  refuseLeftOpen,
  refuseUnfinishedMerge,
} from "../problem.ts";

/** What buffer.md holds until it is flushed. */
export interface BufferDoc {
  /** When it was last written. */
  readonly updated: string;
  readonly notes: readonly Note[];
  readonly candidates: readonly Candidate[];
}

/** What was read from a buffer.md, and what is wrong with it. */
export interface ParsedBuffer {
  readonly doc: BufferDoc;
  readonly problems: readonly Problem[];
}

/** The lines of one item, up to but not with `to`. */
interface FoundItem<Value> {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

/** Where the known parts of a buffer.md stand. */
interface BufferMap {
  readonly outline: Outline;
  readonly updated: number | undefined;
  readonly notes: readonly FoundItem<Note>[];
  readonly candidates: readonly FoundItem<Candidate>[];
}

const knowledgeBuffer = "Knowledge Buffer";
const skillCandidates = "Skill Candidates";

/** Reads buffer.md. What is neither a note nor a candidate is passed over, and kept by whatever rewrites it. */
export function parseBuffer(text: string): ParsedBuffer {
  const map = locateItems(withoutMark(text));
  const { outline, updated, notes, candidates } = map;
  return {
    doc: {
      updated: updated === undefined ? "" : lineText(outline, updated).replace(updatedField, "").trim(),
      notes: notes.map(({ value }) => value),
      candidates: candidates.map(({ value }) => value),
    },
    problems: [...describeConflicts(text), ...describeOpen(outline)],
  };
}

const updatedField = /^\*\*Updated(?:\*\*[ \t]*:|:\*\*)/;

/** Finds the items of a text without a byte order mark. */
function locateItems(text: string): BufferMap {
  const outline = outlineOf(text);
  const lines = [...outline.lines.keys()];
  const end = outline.headings.find(({ depth }) => depth > 1)?.first ?? lines.length;
  return {
    outline,
    updated: lines.slice(0, end).find((line) => updatedField.test(lineText(outline, line))),
    notes: itemsUnder(outline, knowledgeBuffer, parseNote),
    candidates: itemsUnder(outline, skillCandidates, parseCandidate),
  };
}

/** Returns the lines of the first section with a title, without its heading. */
function roomOf(outline: Outline, title: string): { readonly from: number; readonly to: number } | undefined {
  const headings = outline.headings.filter(({ depth }) => depth <= sectionDepth);
  const index = headings.findIndex((each) => each.title.toLowerCase() === title.toLowerCase());
  const heading = headings[index];
  if (heading === undefined) return undefined;
  return { from: heading.last + 1, to: headings[index + 1]?.first ?? outline.lines.length };
}

/**
 * An item begins with its mark at the start of a line, outside of code, and goes on over the lines that are indented.
 *
 * What a person has nested below another item is that item's.
 */
function itemsUnder<Value>(
  outline: Outline,
  title: string,
  parse: (item: string) => Value | undefined,
): readonly FoundItem<Value>[] {
  const room = roomOf(outline, title);
  if (room === undefined) return [];
  const found: FoundItem<Value>[] = [];
  for (let from = room.from; from < room.to; from += 1) {
    const [, text] = /^[-*+][ \t]+(.*)$/s.exec(lineText(outline, from)) ?? [];
    if (text === undefined || outline.literal.has(from)) continue;
    let to = from + 1;
    while (to < room.to && /^[ \t]+\S/.test(lineText(outline, to)) && !outline.literal.has(to)) to += 1;
    const further = Array.from({ length: to - from - 1 }, (_, index) =>
      lineText(outline, from + 1 + index).trim(),
    );
    const value = parse([text, ...further].join("\n"));
    if (value !== undefined) found.push({ value, from, to });
  }
  return found;
}

const empty = `# Handover Buffer
**Updated**: -

## ${knowledgeBuffer}

## ${skillCandidates}
`;

/**
 * Returns a buffer.md that holds other notes or candidates. All else stays as it is, byte for byte; without a change
 * the same text is returned, with the time that it had.
 *
 * Throws when the text has the marks of a git merge, or when something would change in one that leaves a fence or a
 * piece of HTML open.
 */
export function rewriteBuffer(text: string | undefined, next: BufferDoc): string {
  const before = text ?? empty;
  refuseUnfinishedMerge(before);
  const body = withoutMark(before);
  const notes = changeNotes(body, next.notes);
  const both = changeCandidates(notes, next.candidates);
  if (both === body && text !== undefined) return text;
  refuseLeftOpen(outlineOf(body), "buffer.md");
  return markOf(before) + stamp(both, next.updated);
}

function changeNotes(text: string, next: readonly Note[]): string {
  const { notes, outline } = locateItems(text);
  const gone = notes.filter(({ value }) => !next.some((note) => isSameNote(note, value)));
  const fresh = next.filter((note) => !notes.some(({ value }) => isSameNote(note, value)));
  const kept = removeItems(outline, gone);
  return addToSection(
    kept,
    knowledgeBuffer,
    fresh.map((note) => `- ${renderNote(note)}`),
  );
}

function changeCandidates(text: string, next: readonly Candidate[]): string {
  const { candidates, outline } = locateItems(text);
  const rendered = next.map(renderCandidate);
  const gone = candidates.filter(({ value }) => !rendered.includes(renderCandidate(value)));
  const there = candidates.map(({ value }) => renderCandidate(value));
  const fresh = rendered.filter((each) => !there.includes(each)).map((each) => `- ${each}`);
  return addToSection(removeItems(outline, gone), skillCandidates, fresh);
}

function removeItems(
  outline: Outline,
  items: readonly { readonly from: number; readonly to: number }[],
): string {
  let { text } = outline;
  // From the end, so that the places of the others stay right.
  for (const { from, to } of items.toReversed()) {
    const [start, end] = [outline.lines[from]?.start ?? 0, outline.lines[to - 1]?.next ?? 0];
    text = text.slice(0, start) + text.slice(end);
  }
  return text;
}

/** Puts items at the end of a section, right after its last item or line, and makes the section if it is missing. */
function addToSection(text: string, title: string, items: readonly string[]): string {
  if (items.length === 0) return text;
  const { outline } = locateItems(text);
  const room = roomOf(outline, title);
  if (room === undefined) return insertLines(outline, outline.lines.length, [`## ${title}`, ...items]);
  let at = room.to;
  while (at > room.from && lineText(outline, at - 1).trim() === "") at -= 1;
  const mark = lastMark(outline, room.from, at);
  // What looks like an item inside of HTML would take the next one in.
  const isItem = /^[-*+][ \t]/.test(lineText(outline, mark)) && !outline.literal.has(mark);
  const follows = at > room.from && isItem;
  const lead = at > room.from && !follows ? [""] : [];
  return replaceLines(outline, { from: at, to: at }, [...lead, ...items], { apart: "after" });
}

/** Goes up from the end of a section to the line at which its last item begins. */
function lastMark(outline: Outline, from: number, to: number): number {
  let line = to - 1;
  while (line > from && /^[ \t]/.test(lineText(outline, line))) line -= 1;
  return line;
}

function stamp(text: string, updated: string): string {
  const { outline, updated: line } = locateItems(text);
  const field = [`**Updated**: ${updated}`];
  if (line !== undefined) return replaceLines(outline, { from: line, to: line + 1 }, field);
  const title = outline.headings.find(({ depth, first }) => depth === 1 && first === 0);
  const at = title === undefined ? 0 : title.last + 1;
  return replaceLines(outline, { from: at, to: at }, field, { apart: "after" });
}

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
interface OwnPart {
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
