import { withoutMark } from "../lib/markdown/byte-order-mark.ts";
import { fold, saysNothing } from "../lib/markdown/fold.ts";
import { sectionDepth } from "./markdown/contain.ts";
import { describeOpen, findConflicts } from "./markdown/document-faults.ts";
import type { Problem } from "./problem.ts";
import { contentOf, headerValue, locateParts, type SessionMap } from "./session/locate-parts.ts";
import { emptySession, type SessionDoc, sessionParts } from "./session-doc.ts";

/** What was read from a session.md, and what is wrong with it. */
export interface ParsedSession {
  readonly doc: SessionDoc;
  readonly problems: readonly Problem[];
}

/** Reads session.md. Never throws for what a document says: missing parts are empty, unknown ones are passed over. */
export function parseSession(text: string): ParsedSession {
  const map = locateParts(withoutMark(text));
  return { doc: readParts(map), problems: [...describeConflicts(text), ...describeOutline(map)] };
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

function describeConflicts(text: string): readonly Problem[] {
  return findConflicts(text).map((line) => ({
    code: "conflict-marker",
    line,
    message: "a git merge left its mark here",
  }));
}

function describeOutline({ outline, sections }: SessionMap): readonly Problem[] {
  const titles = sections
    .filter(({ heading }) => heading.depth > 1 && heading.depth <= sectionDepth)
    .map(({ heading }) => heading.title.toLowerCase());
  const known = new Set(
    sessionParts.flatMap((each) => (each.at === "section" ? [each.title.toLowerCase()] : [])),
  );
  const repeated = sections.filter(({ heading }) => {
    const title = heading.title.toLowerCase();
    return known.has(title) && titles.filter((each) => each === title).length > 1;
  });
  const later = repeated.filter(
    ({ heading }, index) =>
      repeated.findIndex((each) => each.heading.title.toLowerCase() === heading.title.toLowerCase()) < index,
  );
  return [
    ...later.map(({ heading }) => ({
      code: "repeated-section" as const,
      line: heading.first + 1,
      message: `a second section ${heading.title} is not read`,
    })),
    ...describeOpen(outline),
  ];
}
