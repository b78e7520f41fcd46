import { markOf, withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import { lineEndingOf, toUnixLines } from "../../lib/markdown/split-lines.ts";
import { toSlug } from "../../lib/slug.ts";
import { sha256 } from "../../sessions/chain.ts";
import { addItems, itemsOf } from "../list-items.ts";
import { outlineOf } from "../markdown/outline.ts";
import { categoryOf, type Note, parseNote, renderNote } from "../note.ts";

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
