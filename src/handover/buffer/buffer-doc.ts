import { withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import { type Candidate, parseCandidate } from "../candidate.ts";
import { sectionDepth } from "../markdown/contain.ts";
import { describeOpen } from "../markdown/describe-open.ts";
import { findConflicts } from "../markdown/find-conflicts.ts";
import { lineText, type Outline, outlineOf } from "../markdown/outline.ts";
import { type Note, parseNote } from "../note.ts";
import type { Problem } from "../problem.ts";

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

export const knowledgeBuffer = "Knowledge Buffer";
export const skillCandidates = "Skill Candidates";

/** Reads buffer.md. What is neither a note nor a candidate is passed over, and kept by whatever rewrites it. */
export function parseBuffer(text: string): ParsedBuffer {
  const map = locateItems(withoutMark(text));
  const { outline, updated, notes, candidates } = map;
  const conflicts = findConflicts(text).map((line) => ({
    code: "conflict-marker" as const,
    line,
    message: "a git merge left its mark here",
  }));
  return {
    doc: {
      updated: updated === undefined ? "" : lineText(outline, updated).replace(updatedField, "").trim(),
      notes: notes.map(({ value }) => value),
      candidates: candidates.map(({ value }) => value),
    },
    problems: [...conflicts, ...describeOpen(outline)],
  };
}

const updatedField = /^\*\*Updated(?:\*\*[ \t]*:|:\*\*)/;

/** Finds the items of a text without a byte order mark. */
export function locateItems(text: string): BufferMap {
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
export function roomOf(
  outline: Outline,
  title: string,
): { readonly from: number; readonly to: number } | undefined {
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
