import type { Entry, NewEntry } from "./entry.ts";
import type { EntryId, SessionId, Strand } from "./ids.ts";
import type { Lease } from "./lease.ts";
import type { ProjectId } from "./project.ts";
import type { ClientName, NewFork, NewSession, Session, SessionStatus } from "./session.ts";

/** Proof that an entry is on disk. */
export interface Receipt {
  readonly seq: number;
  readonly id: EntryId;
  /** False when the same entry had been stored before. */
  readonly isNew: boolean;
}

/** A session, and what became of the entries that it was opened with. */
export interface OpenedSession extends Session {
  readonly receipts: readonly Receipt[];
}

export interface ReadRange {
  /** The first sequence number, 1 unless given; a negative one counts from the end: -50 is the last 50. */
  readonly from?: number;
  /** The last sequence number; the newest unless given. */
  readonly to?: number;
  readonly strand?: Strand;
}

/** Which sessions to list; all conditions must hold. Records of documents are found by their id or client only. */
export interface SessionQuery {
  readonly id?: SessionId;
  readonly idPrefix?: string;
  /** Compared without regard to case. */
  readonly titlePrefix?: string;
  readonly project?: ProjectId;
  readonly client?: ClientName;
  /** As its entries say; who writes it at this moment does not count. */
  readonly status?: SessionStatus;
  readonly branch?: string;
  readonly tag?: string;
  /** Only those that were begun in this store, or that came from another one. */
  readonly begun?: "here" | "elsewhere";
  /** Only those that were last worked in here, or in another store; who gave it a title or a tag does not count. */
  readonly newest?: "here" | "elsewhere";
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
  /**
   * The time. A session that says it changed more than a day after it was written under a wrong clock: it comes just
   * after those that were made before it. And `updatedBefore` leaves out what was made after a session that began
   * between then and now: it cannot be that old, whatever its clock said.
   */
  readonly now?: Date;
  /** At most this many, 50 unless given. */
  readonly limit?: number;
  /** Where the page before ended: its `next`. */
  readonly cursor?: string;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  /** The ids of sessions that cannot be read, because their record is damaged. */
  readonly damaged: readonly string[];
  readonly next: string | null;
}

export interface Deletion {
  readonly session: SessionId;
  /** Entries that are gone for good. */
  readonly reclaimed: number;
  /** Entries that stay because a fork shares them. */
  readonly shared: number;
}

/** What `verify` found: the head that was computed, and the first thing that is wrong, if any. */
export interface Verification {
  readonly session: SessionId;
  readonly entries: number;
  readonly head: string | null;
  /** Entries whose body was replaced because it held a secret; each is noted by a later entry. */
  readonly scrubbed: number;
  /** An entry by number and id; number 0 means the record of the session itself. */
  readonly problem: { readonly seq: number; readonly entry: string | null; readonly reason: string } | null;
}

/**
 * The append-only record of what was said and done.
 *
 * Every engine passes `test/contract/conversation-log.ts`; that suite, not this
 * comment, is the definition of correct.
 */
export interface ConversationLog extends AsyncDisposable {
  /**
   * Makes a session, or returns it as it is when the same one was made before.
   *
   * With entries it is made together with them, or not at all; if it was there, they are appended.
   */
  open(session: NewSession, entries?: readonly NewEntry[]): Promise<OpenedSession>;

  /**
   * Appends entries in order, all or none, and returns after they are on disk.
   *
   * An id already stored with equal content (kind, strand and what it says; not time or parent) is left as it is;
   * with other content it is a conflict. Events `titled`, `tagged`, `ended`, `interrupted` and `resumed` also
   * describe the session; the one with the greatest (time, id) wins. The event `scrubbed` is refused: only a scrub
   * makes it.
   *
   * With a lease, nothing is stored once it has run out or another process has taken it; each append makes it last
   * anew. Without one, a session that a living process holds takes only titles, tags and remarks
   * about its digest.
   */
  append(to: SessionId | Lease, entries: readonly NewEntry[]): Promise<readonly Receipt[]>;

  /** Streams the entries of a session in order of sequence number, those shared with its origin included. */
  read(session: SessionId, range?: ReadRange): AsyncIterable<Entry>;

  /** Returns one page of sessions, newest `updatedAt` first. One that is asked for by its id and is damaged throws. */
  list(query?: SessionQuery): Promise<SessionPage>;

  /** Makes a session that shares the origin's entries up to a point. Costs the same at any size. */
  fork(fork: NewFork): Promise<Session>;

  /**
   * Hides a session for good, reclaims what no fork needs, and leaves a tombstone that names its head.
   *
   * One that a living process holds is `SessionInUse`.
   * With `ifHead` it is a conflict when the session has grown since that head was seen.
   */
  delete(session: SessionId, at: Date, condition?: { readonly ifHead: string | null }): Promise<Deletion>;

  /**
   * Recomputes the chain of a session from its first entry, shared ones included, and compares its title, tags and status
   * with what its own entries say; reports, never throws, what is damaged.
   */
  verify(session: SessionId, onProgress?: (entries: number) => void): Promise<Verification>;
}

const pageSize = 200;

/** Yields every session that a query finds, newest first, page by page. */
export async function* listAll(
  log: Pick<ConversationLog, "list">,
  query: SessionQuery = {},
): AsyncGenerator<Session> {
  for await (const { sessions } of listPages(log, query)) yield* sessions;
}

/** Yields all pages of what a query finds. */
export async function* listPages(
  log: Pick<ConversationLog, "list">,
  query: SessionQuery = {},
): AsyncGenerator<SessionPage> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await log.list({ ...query, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    yield page;
    cursor = page.next;
  }
}
