import { AppError } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { isStoreLost } from "../lib/rescue-file.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import type { Receipt } from "../sessions/conversation-log.ts";
import type { Entry, EntryContent, NewEntry } from "../sessions/entry.ts";
import { type EntryId, mainStrand, makeEntryId, type SessionId } from "../sessions/ids.ts";
import { nextMoment } from "../sessions/next-moment.ts";
import type { SessionTarget } from "../sessions/session-target.ts";
import type { Rescue } from "./rescue-talk.ts";

/** What an entry says, and that it begins a new root where it does. */
export type NewContent = EntryContent & { readonly parent?: null };

export interface RecorderOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** What this process says before the first thing that it records: that the session has begun, or goes on. */
  readonly opening: () => readonly NewContent[];
  /** Is told of what is on disk, in order. */
  readonly onRecorded: (entries: readonly Entry[]) => void;
  /** Is told what a store does not take that was deleted, replaced or damaged. */
  readonly rescue: Rescue;
}

/** Records what happens in a session, one thing after another; a session that is only looked at stays as it is. */
export class SessionRecorder {
  readonly #target: SessionTarget;
  readonly #options: RecorderOptions;
  #last: Date;
  #leaf: EntryId | null = null;
  #recorded = 0;
  readonly #deferred: NewContent[] = [];
  /** What could not be stored, and is tried again. */
  #unsaved: readonly NewEntry[] = [];
  /** Why the store takes nothing more, and what was said and is in none. */
  #loss: AppError | undefined;
  #lost: readonly Entry[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(target: SessionTarget, options: RecorderOptions) {
    this.#target = target;
    this.#options = options;
    this.#last = target.since;
  }

  get session(): SessionId {
    return this.#target.session;
  }

  /** Whether this process has recorded anything. */
  get hasRecorded(): boolean {
    return this.#recorded > 0;
  }

  /** Records what happened, all or nothing, and returns after it is on disk. */
  record(contents: readonly NewContent[]): Promise<readonly Entry[]> {
    const done = this.#queue.then(() => this.#record(contents));
    // Whoever records is told of a failure; what comes after it is tried for itself.
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Records what could not be recorded before, if there is such a thing. */
  async recordUnsaved(): Promise<void> {
    if (this.#unsaved.length > 0) await this.record([]);
  }

  /** Records something together with whatever is recorded first. */
  defer(content: NewContent): void {
    this.#deferred.push(content);
  }

  /** Gives the session back, after what is under way is done. */
  async release(): Promise<void> {
    await this.#queue;
    await this.#target.release();
  }

  async #record(contents: readonly NewContent[]): Promise<readonly Entry[]> {
    const all = this.hasRecorded ? contents : [...this.#options.opening(), ...this.#deferred, ...contents];
    const entries = [...this.#unsaved, ...all.map((content) => this.#toEntry(content))];
    const receipts = await this.#append(entries);
    this.#recorded += entries.length;
    const recorded = entries.map((entry, index) => this.#toRecorded(entry, receipts[index]?.seq ?? 0));
    this.#options.onRecorded(recorded);
    return contents.length === 0 ? [] : recorded.slice(-contents.length);
  }

  async #append(entries: readonly NewEntry[]): Promise<readonly Receipt[]> {
    // A damaged store might take what comes next, and would have a gap before it.
    if (this.#loss !== undefined) throw await this.#options.rescue(this.#loss, this.#lose(entries));
    try {
      const receipts = await this.#target.append(entries);
      this.#unsaved = [];
      return receipts;
    } catch (error) {
      if (isStoreLost(error)) {
        this.#loss = error;
        throw await this.#options.rescue(error, this.#lose(entries));
      }
      // A full disk or a busy store pass. What the model and its tools have said is stored with whatever comes next, under
      // the same ids; what a person has said, they say again.
      if (error instanceof AppError && (error.kind === "io" || error.kind === "busy"))
        this.#unsaved = entries.filter((entry) => entry.kind === "message" && entry.role !== "user");
      throw error;
    }
  }

  /** Returns all that is lost by now. What a person says after the first, they are told of, and still have. */
  #lose(entries: readonly NewEntry[]): readonly Entry[] {
    const isFirst = this.#lost.length === 0;
    const said = entries.filter((entry) => entry.kind === "message" && (isFirst || entry.role !== "user"));
    this.#lost = [...this.#lost, ...said.map((entry) => this.#toRecorded(entry, 0))];
    return this.#lost;
  }

  #toEntry(content: NewContent): NewEntry {
    const now = this.#options.clock.now();
    // Of two things the later one counts, also under a clock that was set back.
    this.#last = nextMoment(now, this.#last);
    return { ...content, id: makeEntryId(now, this.#options.random), at: this.#last };
  }

  #toRecorded({ parent, ...entry }: NewEntry, seq: number): Entry {
    const before = parent === undefined ? this.#leaf : parent;
    this.#leaf = entry.id;
    return { ...entry, session: this.session, seq, parent: before, strand: mainStrand };
  }
}
