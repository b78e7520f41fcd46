import { type FoundDecision, parseDecisions } from "./decisions/parse-decisions.ts";
import { announced, written } from "./decisions/recorded-decisions.ts";
import { DocumentRecord, type RecordedEvent, type RecordSite } from "./document-record.ts";

/** A decision of this user as the log has it. */
export interface LoggedDecision extends FoundDecision {
  /** The hash of its lines. */
  readonly digest: string;
  /** The folder of the project that it was written in. */
  readonly root: string | undefined;
}

/** A decision of another machine. */
export interface DecisionElsewhere extends LoggedDecision {
  readonly machine: string;
}

/** How many notes of the log are looked through: most decisions have two. */
const within = 400;

/** Returns the latest decisions that are known to have been written, in whatever work tree, in the order of their numbers. */
export async function readLogged(site: RecordSite): Promise<readonly LoggedDecision[]> {
  const notes = await Array.fromAsync(new DocumentRecord(site, "decisions.md").read(within));
  return collectWritten(notes).map(({ note: _note, ...decision }) => decision);
}

/** Returns the latest decisions that were written on other machines and came from there, in the order of their numbers. */
export async function readElsewhere(site: RecordSite): Promise<readonly DecisionElsewhere[]> {
  const notes = await new DocumentRecord(site, "decisions.md").readOthers(within);
  return collectWritten(notes).map(({ note, ...decision }) => ({ ...decision, machine: note.machine }));
}

/** Returns the decisions that some notes say were announced and written, in the order of their numbers. */
export function collectWritten<Note extends RecordedEvent>(
  notes: readonly Note[],
): readonly (LoggedDecision & { readonly note: Note })[] {
  const found = new Map<string, LoggedDecision & { readonly note: Note }>();
  const known = new Set<unknown>();
  for (const note of notes) {
    const { event, data } = note;
    if (event === written) known.add(data.digest);
    if (event !== announced || typeof data.text !== "string" || typeof data.digest !== "string") continue;
    const [decision] = parseDecisions(data.text).decisions;
    const root = typeof data.root === "string" ? data.root : undefined;
    if (decision !== undefined) found.set(data.digest, { ...decision, digest: data.digest, root, note });
  }
  return [...found.values()]
    .filter(({ digest }) => known.has(digest))
    .toSorted((one, other) => one.seq - other.seq);
}

/**
 * Returns the highest number that a decision has on another machine, as far as it came from there; 0 before the first.
 *
 * A number that nobody reaches by deciding is somebody's joke, and would be ours from then on.
 */
export async function readHighestElsewhere(record: DocumentRecord): Promise<number> {
  const notes = await record.readOthers(latest);
  const numbers = notes.flatMap(({ event, data }) => (event === announced ? [Number(data.seq)] : []));
  return Math.max(0, ...numbers.filter((seq) => Number.isInteger(seq) && seq <= mostReached));
}

const mostReached = 1_000_000;

/** Returns the highest number of a decision in the project, in whatever work tree; 0 before the first. */
export async function readHighest(site: RecordSite): Promise<number> {
  let highest = 0;
  for await (const { event, data } of new DocumentRecord(site, "decisions.md").read(latest))
    if (event === announced) highest = Math.max(highest, Number(data.seq) || 0);
  return highest;
}

/** Numbers rise, so that the highest is among the last. */
const latest = 40;
