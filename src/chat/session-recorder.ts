import { createSecretKey } from "node:crypto";
import { AppError } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import type { Clock } from "../lib/clock.ts";
import { isStoreLost, SessionRescued, writeRescueFile } from "../lib/rescue-file.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { type RandomSource, systemRandom } from "../lib/uuid-v7.ts";
import { makeRedactor } from "../redaction/redactor.ts";
import type { Receipt } from "../sessions/conversation-log.ts";
import type { Entry, EntryContent, NewEntry } from "../sessions/entry.ts";
import { type EntryId, mainStrand, makeEntryId, type SessionId } from "../sessions/ids.ts";
import { nextMoment } from "../sessions/session-events.ts";
import type { SessionTarget } from "../sessions/session-writer.ts";
import { redactContent } from "../storage/guard.ts";
import type { ChatDesk } from "./chat.ts";

/** Keeps entries that the store does not take any more; returns the error that says where they are. */
type Rescue = (error: AppError, refused: readonly Entry[]) => Promise<AppError>;

/**
 * Returns what writes a session to one and the same file, as often as something more has to be kept there.
 *
 * `known` is what this process has in memory of it: a store that was overwritten may not be readable either.
 */
export function makeRescue(desk: ChatDesk, session: SessionId, known: () => readonly Entry[]): Rescue {
  let file: string | undefined;
  return async (error, refused) => {
    const text = await renderTalk(await listTalk(desk, session, [...known(), ...refused]), session);
    if (file === undefined)
      file = await writeRescueFile(desk.rescueFolders ?? [], `carryon-${session}.sexp`, text);
    else await writeFileAtomically(file, text, { isPrivate: true });
    if (file === undefined) return error;
    const word = renderShellWord(file);
    const hint = `Go on with it: \`carryon chat --session-file ${word}\`\nOr only import it: \`carryon import ${word}\``;
    return new SessionRescued(error, file, hint);
  };
}

/** Returns what the store still gives, as a file does that was deleted while it is open, and what it lacks of the rest. */
async function listTalk(
  { store }: ChatDesk,
  session: SessionId,
  others: readonly Entry[],
): Promise<readonly Entry[]> {
  const stored = await readStored(store.log, session);
  const known = new Set(stored.map(({ id }) => id));
  // The last one may have been stored before it was found that the file is gone.
  return [...stored, ...others.filter(({ id }) => !known.has(id))];
}

async function readStored(log: ChatDesk["store"]["log"], session: SessionId): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of log.read(session)) entries.push(entry);
  } catch (error) {
    // A session of which nothing was stored yet, or a file that cannot be read to its end.
    if (!(error instanceof AppError)) throw error;
  }
  return entries;
}

async function renderTalk(entries: readonly Entry[], id: SessionId): Promise<string> {
  const { renderReplSession } = await import("../formats/render-sexp-session.ts");
  const [first, last] = [entries[0], entries.at(-1)];
  const times = { startedAt: first?.at ?? new Date(0), updatedAt: last?.at ?? new Date(0) };
  return renderReplSession({ id, ...times }, hideEntrySecrets(entries), "all");
}

/** Takes the secrets out of entries that go to a file, as the store does. */
export function hideEntrySecrets(entries: readonly Entry[]): readonly Entry[] {
  const redactor = makeRedactor(createSecretKey(systemRandom(32)));
  return entries.map((entry) => redactContent(redactor, entry));
}

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
