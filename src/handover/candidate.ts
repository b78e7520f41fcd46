import { fold } from "../lib/markdown/fold.ts";
import { categoryOf, generalCategory, type Note, specOf } from "./note.ts";

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
