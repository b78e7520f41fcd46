import { fold } from "../lib/markdown/fold.ts";

/** A pattern that came up often enough to be worth a skill. */
export interface Candidate {
  readonly name: string;
  readonly specs: readonly string[];
  readonly occurrences: number;
}

/** How many patterns of one category make a candidate. */
const enough = 2;

/** Returns the text of an item of Skill Candidates. */
export function renderCandidate({ name, specs, occurrences }: Candidate): string {
  return `**${name}**: Detected in ${specs.join(", ")} (${occurrences} occurrences)`;
}

/** Reads the text of an item; undefined for one that is no candidate. */
export function parseCandidate(item: string): Candidate | undefined {
  const match = /^\*\*([^*]+)\*\*: *Detected in (.*) \((\d{1,9}) occurrences?\)$/s.exec(fold(item));
  if (match === null) return undefined;
  const [, name = "", specs = "", occurrences = ""] = match;
  const list = specs.split(",").map((spec) => spec.trim());
  return { name, specs: list.filter((spec) => spec !== ""), occurrences: Number(occurrences) };
}

/**
 * Returns the candidates when notes have been added to those that are there.
 *
 * One that is known counts on; a new one is made of all patterns of its category. A name that was dismissed does not
 * come back.
 */
export function countCandidates(
  candidates: readonly Candidate[],
  notes: { readonly known: readonly Note[]; readonly added: readonly Note[] },
  dismissed: ReadonlySet<string>,
): readonly Candidate[] {
  const categories = new Set(notes.added.filter(isPattern).map(categoryOf));
  categories.delete(generalCategory);
  let counted = candidates;
  for (const name of categories) {
    const added = notes.added.filter((note) => isPattern(note) && categoryOf(note) === name);
    const known = notes.known.filter((note) => isPattern(note) && categoryOf(note) === name);
    const before = candidates.find((each) => each.name.toLowerCase() === name);
    if (before !== undefined) {
      counted = counted.map((each) => (each === before ? countOn(before, added) : each));
    } else if (known.length + added.length >= enough && !dismissed.has(name)) {
      counted = [...counted, countOn({ name, specs: [], occurrences: 0 }, [...known, ...added])];
    }
  }
  return counted;
}

function isPattern({ tag }: Note): boolean {
  return tag === "PATTERN";
}

function countOn({ name, specs, occurrences }: Candidate, notes: readonly Note[]): Candidate {
  const found = notes.flatMap((note) => specOf(note) ?? []);
  return { name, specs: [...new Set([...specs, ...found])], occurrences: occurrences + notes.length };
}

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
const generalCategory = "general";

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
function specOf({ source }: Pick<Note, "source">): string | undefined {
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
