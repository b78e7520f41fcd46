import { fold } from "../lib/markdown/fold.ts";

/** What a note is about. */
export const noteTags = ["PATTERN", "INCIDENT", "REFERENCE"] as const;

type NoteTag = (typeof noteTags)[number];

/** One thing learned, until it is flushed into the knowledge of the project. */
export interface Note {
  readonly tag: NoteTag;
  /** What was learned, on one line. A first `word:` is its category. */
  readonly text: string;
  /** Where it was learned, as it is written: `{spec} {role}, task {N}`; "" when nobody said. */
  readonly source: string;
}

/** Where something was learned. */
export interface NoteOrigin {
  readonly spec: string;
  readonly role: string;
  readonly task: string;
}

/** The category of notes that name none. */
export const generalCategory = "general";

/** Returns the source of a note as it is written. */
export function renderOrigin({ spec, role, task }: NoteOrigin): string {
  return `${fold(spec)} ${fold(role)}, task ${fold(task)}`;
}

/** Returns the text of an item of the Knowledge Buffer. */
export function renderNote({ tag, text, source }: Note): string {
  return `[${tag}] ${text}${source === "" ? "" : ` (source: ${source})`}`;
}

/** Reads the text of an item; undefined for one that is no note. */
export function parseNote(item: string): Note | undefined {
  const [, tag = "", rest = ""] = /^(?:\*\*)?\[([A-Z]+)\](?:\*\*)?:?[ \t]+(.*)$/s.exec(fold(item)) ?? [];
  const known = noteTags.find((each) => each === tag);
  if (known === undefined) return undefined;
  const at = rest.toLowerCase().lastIndexOf("(source:");
  if (at < 0 || !rest.endsWith(")")) return { tag: known, text: rest.trim(), source: "" };
  return { tag: known, text: rest.slice(0, at).trim(), source: rest.slice(at + 8, -1).trim() };
}

/** Returns a note as it is read back when it has been written; undefined when it says nothing. */
export function toNote({ tag, text, source }: Note): Note | undefined {
  const note = parseNote(renderNote({ tag, text: fold(text), source: fold(source) }));
  return note === undefined || note.text === "" ? undefined : note;
}

/** Returns the category of a note: the `word:` that its text begins with, in small letters. */
export function categoryOf({ text }: Pick<Note, "text">): string {
  const word = /^([\p{L}\p{N}][\p{L}\p{N}_.-]*):(?=\s)/u.exec(text)?.[1];
  return word === undefined ? generalCategory : word.toLowerCase();
}

/** Returns the name of the spec that a note came from, if its source begins with one. */
export function specOf({ source }: Pick<Note, "source">): string | undefined {
  return /^[^\s,;]+/.exec(source)?.[0];
}

/** Tells whether two notes say the same, wherever they were learned: what is said twice was learned once. */
export function saysTheSame(one: Note, other: Note): boolean {
  return one.tag === other.tag && one.text === other.text;
}

/** Tells whether two notes say the same about the same place. */
export function isSameNote(one: Note, other: Note): boolean {
  return saysTheSame(one, other) && one.source === other.source;
}
