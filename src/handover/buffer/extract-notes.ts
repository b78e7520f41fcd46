import { lineText, outlineOf } from "../markdown/outline.ts";
import { toUnixLines } from "../markdown/split-lines.ts";
import { type Note, noteTags, parseNote, toNote } from "./note.ts";

/**
 * Returns the notes of a completion report: lines that begin with a tag such as `[PATTERN]`, in a list or alone.
 *
 * A note goes on over the lines below it until a blank one, another item, a heading or another note. What stands in code,
 * in HTML or in a quote is shown by the report, not said.
 */
export function extractNotes(report: string, source: string): readonly Note[] {
  const outline = outlineOf(toUnixLines(report).replace(/^\uFEFF/, ""));
  const notes: Note[] = [];
  let open: string[] | undefined;
  const close = (): void => {
    const found = open === undefined ? undefined : parseNote(open.join("\n"));
    const note = found === undefined ? undefined : toNote({ ...found, source: found.source || source });
    if (note !== undefined) notes.push(note);
    open = undefined;
  };
  for (const line of outline.lines.keys()) {
    const text = lineText(outline, line);
    const tagged = outline.literal.has(line) ? undefined : taggedText(text);
    if (tagged !== undefined || endsNote(text) || outline.literal.has(line)) close();
    if (tagged !== undefined) open = [tagged];
    else open?.push(text.trim());
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
