import { toUnixLines } from "../lib/markdown/split-lines.ts";
import { lineText, outlineOf } from "./markdown/outline.ts";
import { type Note, noteTags, parseNote, toNote } from "./note.ts";

/** A note of a report, and the line that it begins in, counted from 1. */
export interface ReportedNote extends Note {
  readonly line: number;
}

/**
 * Returns the notes of a completion report: lines that begin with a tag such as `[PATTERN]`, in a list or alone. Those
 * that name no source have the one that is given.
 *
 * A note goes on over the lines below it until a blank one, another item, a heading or another note. What stands in code,
 * in HTML or in a quote is shown by the report, not said.
 */
export function extractNotes(report: string, source: string): readonly ReportedNote[] {
  const outline = outlineOf(toUnixLines(report).replace(/^\uFEFF/, ""));
  const notes: ReportedNote[] = [];
  let open: { readonly line: number; readonly texts: string[] } | undefined;
  const close = (): void => {
    const found = open === undefined ? undefined : parseNote(open.texts.join("\n"));
    const note = found === undefined ? undefined : toNote({ ...found, source: found.source || source });
    if (open !== undefined && note !== undefined) notes.push({ ...note, line: open.line + 1 });
    open = undefined;
  };
  for (const line of outline.lines.keys()) {
    const text = lineText(outline, line);
    const tagged = outline.literal.has(line) ? undefined : taggedText(text);
    if (tagged !== undefined || endsNote(text) || outline.literal.has(line)) close();
    if (tagged !== undefined) open = { line, texts: [tagged] };
    else open?.texts.push(text.trim());
  }
  close();
  return notes;
}

const anyTag = noteTags.join("|");
const tagged = new RegExp(
  `^[ \\t]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)?((?:\\*\\*)?\\[(?:${anyTag})\\].*)$`,
  "s",
);

function taggedText(line: string): string | undefined {
  return tagged.exec(line)?.[1];
}

function endsNote(line: string): boolean {
  return /^[ \t]*(?:$|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|\|)/.test(line);
}
