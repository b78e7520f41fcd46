import { saysNothing, toStorable } from "../../lib/markdown/fold.ts";
import { isBlank, toUnixLines } from "../../lib/markdown/split-lines.ts";
import { isConflictMarker } from "../problem.ts";
import { type Heading, lineText, type Outline, outlineOf } from "./outline.ts";

/** Where a body stands: below a heading, or below the line that opens a group of decisions. */
export type Place = "section" | "group";

const leads: Readonly<Record<Place, string>> = { section: "### x\n", group: "**x:**\n" };

/** The deepest heading that begins a section; what is deeper belongs to the body that it stands in. */
export const sectionDepth = 3;

/**
 * Returns a Markdown text as the body of a section: what would end the section gets a backslash before it, what the
 * text leaves open is closed, and a word for nothing becomes nothing.
 *
 * A body that was read from a document is returned as it is.
 */
export function toBody(text: string, place: Place = "section"): string {
  let body = trimBlankLines(toUnixLines(toStorable(text)));
  if (saysNothing(body)) return "";
  for (;;) {
    const outline = outlineOf(leads[place] + body);
    const lines = findBreaking(outline, place);
    if (lines.size === 0) return outline.open === undefined ? body : `${body}\n${outline.open.closer}`;
    body = body
      .split("\n")
      .map((line, index) => (lines.has(index + 1) ? line.replace(/^[ \t]*/, "$&\\") : line))
      .join("\n");
  }
}

/** Takes the blank lines at both ends away, and the space at the end. */
export function trimBlankLines(text: string): string {
  return text.trimEnd().replace(/^(?:[ \t]*\n)+/, "");
}

/** Returns the lines that must be escaped; the lead, which is line 0, never is. */
function findBreaking(outline: Outline, place: Place): ReadonlySet<number> {
  const headings = outline.headings.filter(({ depth, last }) => depth <= sectionDepth && last > 0);
  // At an end of the body, a comment is the document's own and not part of the body.
  const comments = outline.comments.filter(({ first, last }) => isEdge(outline, first, last));
  const open = outline.open?.closer === "-->" ? commentsFrom(outline, outline.open.line) : [];
  const marks = [...outline.lines.keys()].filter((number) => number > 0 && isMark(outline, number, place));
  return new Set([
    ...headings.flatMap((heading) => linesOfHeading(outline, heading)),
    ...comments.map(({ first }) => first),
    ...open,
    ...marks,
  ]);
}

function isMark(outline: Outline, number: number, place: Place): boolean {
  const line = lineText(outline, number);
  if (isConflictMarker(line)) return true;
  return place === "group" && isGroupMarker(line) && !outline.literal.has(number);
}

function linesOfHeading(outline: Outline, { first, last }: Heading): readonly number[] {
  const isUnderlined = last > first;
  // Each of many underlines would become one only when the one before it is escaped.
  return isUnderlined ? [last, ...underlinesAfter(outline, last)] : [first];
}

/** Each of many comments that are left open would become one only when the one before it is escaped. */
function commentsFrom(outline: Outline, from: number): readonly number[] {
  return [...outline.lines.keys()].filter(
    (line) => line >= from && /^ {0,3}<!--/.test(lineText(outline, line)),
  );
}

function underlinesAfter(outline: Outline, last: number): readonly number[] {
  const found: number[] = [];
  while (/^ {0,3}(?:=+|-+)[ \t]*$/.test(lineText(outline, last + found.length + 1)))
    found.push(last + found.length + 1);
  return found;
}

function isEdge(outline: Outline, first: number, last: number): boolean {
  const isEmpty = (from: number, to: number): boolean => {
    for (let number = from; number < to; number += 1) if (!isBlank(lineText(outline, number))) return false;
    return true;
  };
  return isEmpty(1, first) || isEmpty(last + 1, outline.lines.length);
}

/** Returns the name on a line that opens a group, such as `**Added this session:**`, or undefined for any other line. */
export function groupNameOf(line: string): string | undefined {
  return /^\*\*([^*\s](?:[^*]*[^*\s])?)\*\*:?[ \t]*$/.exec(line)?.[1]?.replace(/\s*:$/, "");
}

/** Tells whether a line opens a group. */
function isGroupMarker(line: string): boolean {
  return groupNameOf(line) !== undefined;
}
