import { splitLines } from "./split-lines.ts";

/** What documents may have. Beyond it, the parser takes minutes for a few kilobytes made to slow it down. */
const most = { characters: 262_144, lines: 4000, indent: 200, markers: 32, nested: 2000 };

/** Says in what a text is larger than a document may be, or returns undefined. */
export function describeExcess(text: string): string | undefined {
  if (text.length > most.characters) return `has ${text.length} characters`;
  const lines = splitLines(text);
  if (lines.length > most.lines) return `has ${lines.length} lines`;
  let nested = 0;
  for (const [index, { start, end }] of lines.entries()) {
    const line = text.slice(start, end);
    // A line of nothing but dashes or stars is a rule, however long it is.
    if (/^[ \t]*([-*])\1*[ \t]*$/.test(line)) continue;
    const lead = /^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)]))*[ \t]*/.exec(line)?.[0] ?? "";
    const markers = (lead.match(/[-*+>]|\d+[.)]/g) ?? []).length;
    nested += Math.max(0, markers - 1);
    const isDeep = markers > most.markers || (lead.match(/[ \t]/g) ?? []).length > most.indent;
    if (isDeep || nested > most.nested) return `is nested too deeply in line ${index + 1}`;
  }
  return undefined;
}
