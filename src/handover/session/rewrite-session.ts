import { AppError } from "../../lib/app-error.ts";
import { markOf, withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import { fold, saysNothing } from "../../lib/markdown/fold.ts";
import { sectionDepth, toBody } from "../markdown/contain.ts";
import { insertLines, lineText, type Outline, replaceLines } from "../markdown/outline.ts";
import {
  findSection,
  isOfHeader,
  type LocatedPart,
  locateParts,
  readParts,
  type SessionMap,
} from "../parse-session.ts";
import { refuseLeftOpen, refuseUnfinishedMerge } from "../problem.ts";
import {
  type AnyPart,
  direction,
  type HeaderPart,
  keyDecisions,
  type SessionDoc,
  type SessionPart,
  sessionParts,
} from "../session-doc.ts";

/** What stands for an empty part in a new document. */
const nothing = "None";

/** Returns a whole new session.md. */
export function renderSession(doc: SessionDoc): string {
  const clean = toSession(doc);
  const opened = new Set<string>();
  const lines = sessionParts.flatMap((each) => {
    const value = clean[each.part];
    if (each.at === "header") return renderHeader(each, value);
    const headings = each.at === "group" ? [`### ${keyDecisions}`] : headingsOf(each.title, each.under);
    const fresh = headings.filter((heading) => !opened.has(heading));
    for (const heading of fresh) opened.add(heading);
    return ["", ...fresh, ...(each.at === "group" ? [`**${each.name}:**`] : []), value || nothing];
  });
  return `${["# Session Handover", ...lines].join("\n")}\n`;
}

/** Returns the line of a field, or none if it has nothing to say and may be left out. */
function renderHeader(
  { label, isOptional }: { readonly label: string; readonly isOptional: boolean },
  value: string,
): readonly string[] {
  return value === "" && isOptional ? [] : [`**${label}**: ${value || nothing}`];
}

/** Returns the headings that a section stands under, and its own. */
function headingsOf(title: string, under: string | undefined): readonly string[] {
  return under === undefined ? [`## ${title}`] : [`## ${under}`, `### ${title}`];
}

/** Returns a document as it is read back when it has been written. */
export function toSession(doc: SessionDoc): SessionDoc {
  const parts = sessionParts.map(({ part }) => [part, toPart(part, doc[part])]);
  return Object.fromEntries(parts) as unknown as SessionDoc;
}

/** Returns the text of a part as it is read back when it has been written. */
export function toPart(part: SessionPart, text: string): string {
  const at = sessionParts.find((each) => each.part === part)?.at;
  if (at !== "header") return toBody(text, at);
  const value = fold(text);
  return saysNothing(value) ? "" : value;
}

/**
 * Returns a session.md in which some parts say something else. All other bytes stay as they are: unknown sections,
 * groups and fields, comments, blank lines, line endings. Without a change, the same text is returned.
 *
 * Throws when the text still has the marks of a git merge: nobody knows which side counts. Throws also when something
 * would change in a text that leaves a fence or a piece of HTML open: nobody knows what it was to hold.
 */
export function rewriteSession(text: string, changes: Partial<SessionDoc>): string {
  refuseUnfinishedMerge(text);
  let map = locateParts(withoutMark(text));
  for (const each of sessionParts) {
    const change = changes[each.part];
    if (change !== undefined) map = rewritePart(map, each, change);
  }
  return markOf(text) + map.outline.text;
}

function rewritePart(map: SessionMap, part: AnyPart, change: string): SessionMap {
  const current = readParts(map)[part.part];
  const value = current === change ? current : toPart(part.part, change);
  if (current === value) return map;
  refuseLeftOpen(map.outline, "session.md");
  const located = map.parts.get(part.part);
  const text = located === undefined ? insertPart(map, part, value) : replacePart(map, part, located, value);
  const written = locateParts(text);
  if (readParts(written)[part.part] === value) return written;
  throw new AppError(`The part ${part.part} of session.md would be read back as something else.`, {
    kind: "internal",
    code: "handover-not-kept",
    hint: "Nothing was written. Please report this, with the document if it may be shown.",
  });
}

function replacePart(
  { outline, parts }: SessionMap,
  part: AnyPart,
  { lead, room, content }: LocatedPart,
  value: string,
): string {
  if (part.at === "header") return replaceField(outline, part, content, value);
  const text = value === "" ? wordForNothing({ outline, parts }) : value;
  const from = Math.max(content.from, lead + 1);
  const to = Math.max(content.to, from);
  // A comment between two paragraphs is its author's, not part of what is said.
  const kept = commentsBetween(outline, from, to).filter((comment) => !value.includes(comment.join("\n")));
  const lines = [...text.split("\n"), ...kept.flatMap((comment) => ["", ...outdent(comment)])];
  // Below a list, an indented comment would belong to its last item.
  const below = commentsBetween(outline, to, room.to).filter(([first = ""]) => /^[ \t]/.test(first));
  if (below.length === 0) return replaceLines(outline, { from, to }, lines, { apart: "after" });
  const moved = commentsBetween(outline, to, room.to).flatMap((comment) => ["", ...outdent(comment)]);
  return replaceLines(outline, { from, to: room.to }, [...lines, ...moved], { apart: "after" });
}

/** A field that is left out would let a second one of its name count: then it stays, and says that there is nothing. */
function replaceField(
  outline: Outline,
  field: HeaderPart,
  content: LocatedPart["content"],
  value: string,
): string {
  const text = replaceLines(outline, content, renderHeader(field, value));
  const isRead = readParts(locateParts(text))[field.part] === value;
  if (isRead) return text;
  return replaceLines(outline, content, renderHeader({ ...field, isOptional: false }, value));
}

/** Returns the lines of each comment from a line up to another. */
function commentsBetween(outline: Outline, from: number, to: number): readonly (readonly string[])[] {
  return outline.comments
    .filter(({ first, last }) => from <= first && last < to)
    .map(({ first, last }) => linesBetween(outline, first, last));
}

function outdent([first = "", ...others]: readonly string[]): readonly string[] {
  return [first.trimStart(), ...others];
}

function linesBetween(outline: Outline, first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => lineText(outline, first + index));
}

/** Documents in Japanese say it in Japanese. */
function wordForNothing({ outline, parts }: Pick<SessionMap, "outline" | "parts">): string {
  const words = [...parts.values()].map(({ content }) => lineText(outline, content.from).trim());
  return words.includes("なし") ? "なし" : nothing;
}

function insertPart(map: SessionMap, part: AnyPart, value: string): string {
  if (value === "") return map.outline.text;
  if (part.at === "header") return insertField(map, part, value);
  const { outline } = map;
  const body = value.split("\n");
  if (part.at === "section") {
    const { line, missing } = placeFor(map, part.title, part.under);
    return insertLines(outline, line, [...missing, ...body]);
  }
  const section = findSection(map.sections, keyDecisions);
  if (section === undefined) {
    const { line, missing } = placeFor(map, keyDecisions, direction);
    return insertLines(outline, line, [...missing, `**${part.name}:**`, ...body]);
  }
  const added = part.part === "continuing" ? map.parts.get("added")?.lead : undefined;
  return insertLines(outline, added ?? section.room.to, [`**${part.name}:**`, ...body]);
}

/** After the field that comes before it, or below the title. */
function insertField({ outline, parts, sections }: SessionMap, field: HeaderPart, value: string): string {
  const headers = sessionParts.filter((each) => each.at === "header");
  const before = headers.slice(0, headers.indexOf(field)).flatMap(({ part }) => parts.get(part) ?? []);
  const last = before.at(-1);
  const title = sections.find(({ heading }) => heading.depth === 1 && heading.first === 0)?.heading.last;
  const at = last?.content.to ?? (title === undefined ? 0 : title + 1);
  const apart = isOfHeader(outline, at) ? "never" : "after";
  return replaceLines(outline, { from: at, to: at }, renderHeader(field, value), { apart });
}

/** Finds the line before which a missing section goes, and the headings that must be written with it. */
function placeFor(
  { sections, outline }: SessionMap,
  title: string,
  under: string | undefined,
): { line: number; missing: readonly string[] } {
  const order = titlesUnder(under);
  const before = order.slice(0, order.indexOf(title)).flatMap((each) => findSection(sections, each) ?? []);
  const sibling = before.at(-1);
  if (sibling !== undefined) {
    const line = under === undefined ? endOf(sections, sibling.heading.first, outline) : sibling.room.to;
    return { line, missing: headingsOf(title, under).slice(-1) };
  }
  const parent = under === undefined ? undefined : findSection(sections, under);
  if (parent !== undefined) return { line: parent.room.to, missing: headingsOf(title, under).slice(-1) };
  if (under !== undefined) {
    return {
      line: placeFor({ sections, outline, parts: new Map() }, under, undefined).line,
      missing: headingsOf(title, under),
    };
  }
  const first = sections.find(({ heading }) => heading.depth > 1)?.heading.first ?? outline.lines.length;
  return { line: first, missing: headingsOf(title, under) };
}

/** The titles that may stand beside each other, in order. */
function titlesUnder(under: string | undefined): readonly string[] {
  const known = sessionParts.flatMap((each): { title: string; under: string | undefined }[] => {
    if (each.at === "header") return [];
    return [each.at === "section" ? each : { title: keyDecisions, under: direction }];
  });
  const titles = known.flatMap((each) => {
    if (under !== undefined) return each.under === under ? [each.title] : [];
    return [each.under ?? each.title];
  });
  return [...new Set(titles)];
}

/** Returns the line at which a section with all that belongs to it ends. */
function endOf(sections: SessionMap["sections"], first: number, outline: Outline): number {
  const next = sections.find(({ heading }) => heading.first > first && heading.depth < sectionDepth);
  return next?.heading.first ?? outline.lines.length;
}
