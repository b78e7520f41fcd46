import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../lib/clock.ts";
import { isObject } from "../../lib/field-readers.ts";
import { systemRandom } from "../../lib/uuid-v7.ts";
import {
  type Entry,
  type EntryContent,
  type JsonObject,
  type Message,
  messageText,
  type NewEntry,
  runEvents,
} from "../../sessions/entry.ts";
import { isMergedId, isMergeNote } from "../../sessions/merged-id.ts";
import type { SessionTarget } from "../../sessions/session-writer.ts";
import { isTakenId } from "../../sessions/taken-id.ts";
import { runNotes } from "../prompts.ts";
import { RunRecord } from "../run-entries.ts";
import { instructorStrand, workerStrand } from "../run-state.ts";

/** Something that the user said to the instructor. */
interface UserWords {
  /** Its number in the session. */
  readonly seq: number;
  readonly text: string;
}

const notes: readonly string[] = [runNotes.goOn, runNotes.unclear("")];

/** Tells whether an instructor gets a ruling back, because the user has something to say: that follows. */
function isWithdrawal({ strand, parts }: Message): boolean {
  const isNote = (part: Message["parts"][number]) =>
    part.type === "tool-result" && part.output === runNotes.withdrawn;
  return strand === instructorStrand && parts.some(isNote);
}

/** Returns what the user said in a run: the task, and what was added when it was resumed. */
export function listUserWords(entries: readonly Entry[]): readonly UserWords[] {
  let isHeard = false;
  return entries
    .filter(({ id }) => !isMergedId(id))
    .flatMap((entry) => {
      if (entry.kind === "event")
        isHeard = entry.event === runEvents.started || entry.event === runEvents.resumed;
      if (entry.kind !== "message" || entry.strand !== instructorStrand) return [];
      // The program itself says something to an instructor that has nothing to answer.
      if (isWithdrawal(entry)) return [];
      isHeard = isHeard && entry.role === "user" && !notes.some((note) => messageText(entry).endsWith(note));
      return isHeard ? [{ seq: entry.seq, text: messageText(entry) }] : [];
    });
}

/** Thrown where the record does not go on as the program does: it was cut off there, or ends. */
export class CutOff extends Error {}

/** Something that the program does: an entry that it makes, or in words what it does before it makes one. */
export type Deed = NewEntry | string;

/** Thrown where the program does something else than what was recorded. */
export class Differs extends Error {
  readonly recorded: Entry;
  readonly now: Deed;

  constructor(recorded: Entry, now: Deed) {
    super("The program does something else than what was recorded.");
    this.recorded = recorded;
    this.now = now;
  }
}

/**
 * What was recorded of a run, gone through entry by entry beside a program that does it all again.
 *
 * It stands in the place of the store: whatever is appended to `record` must be what comes next.
 */
export class Recording {
  readonly #entries: readonly Entry[];
  #place = 0;
  #compared = 0;
  readonly target: SessionTarget;
  readonly record: RunRecord;
  /** The time at which the next thing was recorded: nothing depends on when it is replayed. */
  readonly clock: Clock = { now: () => this.ahead?.at ?? new Date(0) };

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    this.target = this.#asTarget();
    this.record = new RunRecord(this.target, { clock: this.clock, random: systemRandom });
  }

  /** How many entries were as the program makes them. */
  get compared(): number {
    return this.#compared;
  }

  /** How many entries were taken as they are because they come from a file, which does not tell all of a run. */
  get unchecked(): number {
    return this.#entries.slice(0, this.#place).filter(({ id }) => isTakenId(id)).length;
  }

  /** The entry that comes next, whatever it is. */
  get ahead(): Entry | undefined {
    return this.#entries[this.#place];
  }

  /** Takes the entries as they are up to the end of a round; tells whether there is such a round. */
  takeUntil(round: number): boolean {
    const end = this.#entries.findIndex((entry) => isRound(entry, round));
    while (this.#place <= end) this.#take();
    return end !== -1;
  }

  /** Takes what comes from outside of the program: starts, resumes with what the user says, what was cut off, files. */
  takeGiven(): void {
    for (let next = this.ahead; next !== undefined; next = this.ahead) {
      if (isOwn(next) && !(isUserWord(next) && this.#isAfterOutside())) return;
      this.#take();
    }
  }

  /** Returns what the program must come to next. */
  expect(): Entry {
    for (let next = this.ahead; next !== undefined && !isOutside(next); next = this.ahead) {
      if (isOwn(next)) return next;
      this.#take();
    }
    throw new CutOff();
  }

  /** Returns what was recorded of the files after a round. */
  filesAfter(round: number): JsonObject {
    const found = this.#entries.findLast((entry) => isRound(entry, round));
    const files = found?.kind === "round" ? found.data.files : undefined;
    return isObject(files) ? (files as JsonObject) : {};
  }

  /** Holds what the program has made against what was recorded, and returns that. */
  compare(made: NewEntry): Entry {
    const recorded = this.expect();
    if (!isDeepStrictEqual(toContent(made), toContent(recorded))) throw new Differs(recorded, made);
    this.#place += 1;
    this.#compared += 1;
    return recorded;
  }

  #take(): void {
    const entry = this.ahead;
    if (entry !== undefined) this.record.take(entry);
    this.#place += 1;
  }

  /** What the user says follows the start, or the resume, with which it was recorded. */
  #isAfterOutside(): boolean {
    const before = this.#entries.slice(0, this.#place).findLast((entry) => !isUserWord(entry));
    return before !== undefined && isOutside(before);
  }

  #asTarget(): SessionTarget {
    const session = this.#entries[0]?.session ?? ("" as Entry["session"]);
    const append = async (made: readonly NewEntry[]) =>
      made.map((each) => {
        const { seq, id } = this.compare(each);
        return { seq, id, isNew: false };
      });
    return { session, since: new Date(0), append, release: async () => undefined };
  }
}

/** Tells whether a merge has written an entry: what another run did, or what it notes of itself. */
function isByMerge({ id }: Entry): boolean {
  return isMergedId(id) || isMergeNote(id);
}

function isRound(entry: Entry, number: number): boolean {
  return entry.kind === "round" && entry.number === number && !isByMerge(entry);
}

const outside: ReadonlySet<string> = new Set([runEvents.started, runEvents.resumed, "interrupted"]);

function isOutside(entry: Entry): boolean {
  if (isByMerge(entry)) return false;
  // A file has neither models nor usage, nor what was begun, stopped and resumed: it cannot be held against anything.
  if (isTakenId(entry.id)) return true;
  if (entry.kind === "message") return entry.interrupted === true;
  return entry.kind === "event" && outside.has(entry.event);
}

function isUserWord(entry: Entry): boolean {
  if (entry.kind !== "message" || entry.strand !== instructorStrand) return false;
  return entry.role === "user" || isWithdrawal(entry);
}

/** Tells whether an entry is one that the program itself comes to. */
function isOwn(entry: Entry): boolean {
  if (isByMerge(entry) || isTakenId(entry.id)) return false;
  switch (entry.kind) {
    case "message":
      return [instructorStrand, workerStrand].includes(entry.strand) && entry.interrupted !== true;
    case "round":
      return true;
    case "event":
      return entry.event === runEvents.callStarted || entry.event === "ended";
    case "summary":
    case "checkpoint":
    case "other":
      return false;
  }
}

/** Returns what an entry says and where, in the form in which it is stored. */
export function toContent(entry: Entry | NewEntry): EntryContent {
  const { id: _id, at: _at, parent: _parent, ...rest } = entry;
  const { session: _session, seq: _seq, ...content } = rest as Partial<Entry>;
  return JSON.parse(JSON.stringify(content));
}
