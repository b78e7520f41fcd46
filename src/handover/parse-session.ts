import { withoutMark } from "../lib/markdown/byte-order-mark.ts";
import { fold, saysNothing } from "../lib/markdown/fold.ts";
import { isBlank, toUnixLines } from "../lib/markdown/split-lines.ts";
import { groupNameOf, sectionDepth, trimBlankLines } from "./markdown/contain.ts";
import { type Heading, lineText, type Outline, outlineOf } from "./markdown/outline.ts";
import { describeConflicts, describeOpen, type Problem } from "./problem.ts";
import type { KnownText } from "./session/session-basis.ts";
import {
  emptySession,
  type GroupPart,
  keyDecisions,
  type SessionDoc,
  type SessionPart,
  sessionParts,
} from "./session-doc.ts";

/** The lines from `from` up to but not with `to`. */
interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Where a part stands. */
export interface LocatedPart {
  /** The line that names it: a heading, the line that opens a group, or the line of the header itself. */
  readonly lead: number;
  /** All that lies between it and what comes next. */
  readonly room: LineRange;
  /** What of that is its text, without blank lines and the comments at both ends; empty when it says nothing. */
  readonly content: LineRange;
}

/** The known parts of a document and the sections that they stand in. */
export interface SessionMap {
  readonly outline: Outline;
  readonly parts: ReadonlyMap<SessionPart, LocatedPart>;
  readonly sections: readonly Section[];
}

/** A heading and the lines below it, up to the next heading. */
interface Section {
  readonly heading: Heading;
  readonly room: LineRange;
}

/** Finds the known parts of a text without a byte order mark. The first of several with the same name counts. */
export function locateParts(text: string): SessionMap {
  const outline = outlineOf(text);
  // A rule right below the header makes a heading of it, which nobody meant.
  const headings = outline.headings.filter(
    ({ depth, first }) => depth <= sectionDepth && headerLabel(lineText(outline, first)) === undefined,
  );
  const sections = headings.map((heading, index) => ({
    heading,
    room: { from: heading.last + 1, to: headings[index + 1]?.first ?? outline.lines.length },
  }));
  const parts = new Map<SessionPart, LocatedPart>(locateHeader(outline, sections));
  for (const each of sessionParts) {
    const section = each.at === "section" ? findSection(sections, each.title) : undefined;
    if (section !== undefined) parts.set(each.part, locateBody(outline, section.heading.last, section.room));
  }
  for (const [part, located] of locateGroups(outline, sections)) parts.set(part, located);
  return { outline, parts, sections };
}

/** Returns the first section with a title; case does not count. */
export function findSection(sections: readonly Section[], title: string): Section | undefined {
  return sections.find(({ heading }) => heading.title.toLowerCase() === title.toLowerCase());
}

/** Returns the text of a part, its lines ended with LF. */
function contentOf({ text, lines }: Outline, { content }: LocatedPart): string {
  const [first, last] = [lines[content.from], lines[content.to - 1]];
  if (first === undefined || last === undefined || content.to <= content.from) return "";
  return trimBlankLines(toUnixLines(text.slice(first.start, last.end)));
}

/** The header ends at the first section; a title above it does not count as one. */
function locateHeader(outline: Outline, sections: readonly Section[]): [SessionPart, LocatedPart][] {
  const end = sections.find(({ heading }) => heading.depth > 1)?.heading.first ?? outline.lines.length;
  const found: [SessionPart, LocatedPart][] = [];
  const fields = [...Array(end).keys()].filter(
    (line) => !outline.literal.has(line) && headerLabel(lineText(outline, line)) !== undefined,
  );
  for (const lead of fields) {
    const label = headerLabel(lineText(outline, lead));
    const known = sessionParts.find((each) => each.at === "header" && each.label.toLowerCase() === label);
    if (known === undefined || found.some(([part]) => part === known.part)) continue;
    const room = { from: lead, to: lead + 1 };
    found.push([known.part, { lead, room, content: { from: lead, to: goesOnTo(outline, lead, end) } }]);
  }
  return found;
}

/** A value goes on over further lines until a blank one, the next field, or whatever is no text. */
function goesOnTo(outline: Outline, lead: number, end: number): number {
  let to = lead + 1;
  while (to < end && isMoreText(outline, to)) to += 1;
  return to;
}

/** Tells whether a line is part of the header: a field, or the rule right below the last one. */
export function isOfHeader(outline: Outline, line: number): boolean {
  const heading = outline.headings.find(({ last }) => last === line);
  const first = heading === undefined ? line : heading.first;
  return headerLabel(lineText(outline, first)) !== undefined;
}

function isMoreText(outline: Outline, line: number): boolean {
  const text = lineText(outline, line);
  if (isBlank(text) || outline.literal.has(line) || headerLabel(text) !== undefined) return false;
  // A list, a quote or a table is something of its own.
  if (/^[ \t]*(?:[-*+>|]|\d+[.)])(?:[ \t|]|$)/.test(text)) return false;
  const heading = outline.headings.find(({ first, last }) => first <= line && line <= last);
  if (heading === undefined) return true;
  return headerLabel(lineText(outline, heading.first)) !== undefined && line < heading.last;
}

const headerField = /^\*\*([^*:]+)(?:\*\*[ \t]*:|:\*\*)[ \t]*(.*)$/s;

/** Returns the label of a line such as `**Branch**: main`, in small letters. */
function headerLabel(line: string): string | undefined {
  return headerField.exec(line)?.[1]?.trim().toLowerCase();
}

/** Returns the value of a line such as `**Branch**: main`. */
function headerValue(line: string): string {
  return headerField.exec(line)?.[2] ?? "";
}

function locateGroups(outline: Outline, sections: readonly Section[]): [SessionPart, LocatedPart][] {
  const section = findSection(sections, keyDecisions);
  if (section === undefined) return [];
  const { from, to } = section.room;
  const markers = [...Array(to - from).keys()]
    .map((index) => from + index)
    .filter((line) => !outline.literal.has(line) && groupNameOf(lineText(outline, line)) !== undefined);
  const known = markers.map((line) => toGroup(groupNameOf(lineText(outline, line)) ?? ""));
  const groups = markers.flatMap((line, index): [SessionPart, LocatedPart][] => {
    const part = known[index];
    if (part === undefined || known.indexOf(part) !== index) return [];
    return [[part, locateBody(outline, line, { from: line + 1, to: markers[index + 1] ?? to })]];
  });
  // What stands above the groups is from before, unless there is a group for that.
  const above = locateBody(outline, section.heading.last, { from, to: markers[0] ?? to });
  const isUsed = !known.includes("continuing") && above.content.from < above.content.to;
  return isUsed ? [["continuing", above], ...groups] : groups;
}

function toGroup(name: string): SessionPart | undefined {
  const groups = sessionParts.filter((each): each is GroupPart => each.at === "group");
  return groups.find((each) => each.name.toLowerCase() === name.toLowerCase())?.part;
}

function locateBody(outline: Outline, lead: number, room: LineRange): LocatedPart {
  let { from, to } = room;
  for (;;) {
    const comment = outline.comments.find(({ first, last }) => first === from && last < to);
    const ending = outline.comments.find(({ first, last }) => last === to - 1 && first >= from);
    if (from < to && isBlank(lineText(outline, from))) from += 1;
    else if (from < to && isBlank(lineText(outline, to - 1))) to -= 1;
    else if (comment !== undefined) from = comment.last + 1;
    else if (ending !== undefined) to = ending.first;
    else return { lead, room, content: { from, to } };
  }
}

/** What was read from a session.md, and what is wrong with it. */
export interface ParsedSession {
  readonly doc: SessionDoc;
  readonly problems: readonly Problem[];
}

/** Reads session.md. Never throws for what a document says: missing parts are empty, unknown ones are passed over. */
export function parseSession(text: string): ParsedSession {
  const map = locateParts(withoutMark(text));
  const problems = [
    ...describeConflicts(text),
    ...describeRepeated(map.sections),
    ...describeOpen(map.outline),
  ];
  return { doc: readParts(map), problems };
}

/** Returns the value of each part. */
export function readParts({ outline, parts }: SessionMap): SessionDoc {
  const values = sessionParts.flatMap(({ at, part }) => {
    const located = parts.get(part);
    if (located === undefined) return [];
    const content = contentOf(outline, located);
    const value = at === "header" ? fold(headerValue(content)) : content;
    return [[part, saysNothing(value) ? "" : value]];
  });
  return { ...emptySession, ...Object.fromEntries(values) };
}

/** Reports the known sections that are there a second time. */
function describeRepeated(sections: readonly Section[]): readonly Problem[] {
  const known = sessionParts.flatMap((each) => (each.at === "section" ? [each.title.toLowerCase()] : []));
  const seen = new Set<string>();
  return sections.flatMap(({ heading: { depth, title, first } }): readonly Problem[] => {
    const name = title.toLowerCase();
    if (depth === 1 || !known.includes(name)) return [];
    if (seen.has(name))
      return [
        { code: "repeated-section", line: first + 1, message: `a second section ${title} is not read` },
      ];
    seen.add(name);
    return [];
  });
}

/** Says for which branch and since when a session.md has its next action; an older version knows only its own branch. */
export function whereNext({ text, note, at }: KnownText): {
  readonly on: string | undefined;
  readonly at: Date | undefined;
} {
  const { nextOn, nextAt } = note?.data ?? {};
  return {
    on: typeof nextOn === "string" ? nextOn : parseSession(text).doc.branch || undefined,
    at: typeof nextAt === "string" ? new Date(nextAt) : at,
  };
}
