import type { ConversationLog, ReadRange } from "./conversation-log.ts";
import type { Entry } from "./entry.ts";
import type { EntryId, SessionId } from "./ids.ts";
import { hookStrand, observationIn, readShown, toSeenMessage } from "./observations.ts";

/**
 * Streams the entries of a session for somebody who reads it from its beginning to its end: as `readShown`, but what a hook
 * or a queue saw stands where it happened, however late it was recorded: after the entry that it follows, then by its time.
 *
 * Numbers do not grow from one entry to the next, so that nobody can page by them. Of a part of a session the entries
 * with these numbers are told.
 */
export async function* readInPlace(
  log: ConversationLog,
  session: SessionId,
  range: ReadRange = {},
): AsyncGenerator<Entry> {
  if (range.strand !== undefined) return yield* readShown(log, session, range);
  const late = await readLate(log, session, range);
  for await (const entry of log.read(session, range)) {
    if (entry.strand === hookStrand && (toSeenMessage(entry) ?? observationIn(entry)) !== undefined) continue;
    yield* late.before(entry);
    yield entry;
  }
  yield* late.rest();
}

/** Reads what hooks and queues saw and no transcript has. */
async function readLate(log: ConversationLog, session: SessionId, range: ReadRange): Promise<LateEntries> {
  const found = new Set<string | undefined>();
  const onHooks = new Set<EntryId>();
  for await (const entry of log.read(session, { strand: hookStrand })) {
    onHooks.add(entry.id);
    found.add(observationIn(entry));
  }
  const seen: Entry[] = [];
  for await (const entry of log.read(session, { ...range, strand: hookStrand })) {
    // What hooks saw of the origin of a fork is told there.
    const isOpen = !found.has(entry.id) && entry.session === session;
    if (isOpen && toSeenMessage(entry) !== undefined) seen.push(entry);
  }
  const isPart = range.from !== undefined || range.to !== undefined;
  return new LateEntries(seen, (parent) => !isPart && parent !== null && !onHooks.has(parent));
}

/** Entries that wait for their place in a stream. */
class LateEntries {
  /** In the order of their times. */
  #waiting: readonly Entry[];
  /** The entries that others wait for. */
  readonly #awaited: Set<EntryId | null>;

  constructor(entries: readonly Entry[], isAwaited: (parent: EntryId | null) => boolean) {
    this.#waiting = entries.toSorted((one, other) => one.at.getTime() - other.at.getTime());
    this.#awaited = new Set(entries.map(({ parent }) => parent).filter(isAwaited));
  }

  /** Returns what comes before the next entry of the stream. */
  before(next: Entry): readonly Entry[] {
    if (this.#waiting.length === 0) return [];
    const due = this.#waiting.filter(({ at, parent }) => at <= next.at && !this.#awaited.has(parent));
    this.#awaited.delete(next.id);
    if (due.length > 0) this.#waiting = this.#waiting.filter((entry) => !due.includes(entry));
    return due;
  }

  rest(): readonly Entry[] {
    return this.#waiting;
  }
}
