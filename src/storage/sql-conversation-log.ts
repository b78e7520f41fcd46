import type {
  ConversationLog,
  Deletion,
  OpenedSession,
  ReadRange,
  Receipt,
  SessionPage,
  SessionQuery,
  Verification,
} from "../sessions/conversation-log.ts";
import type { Entry, NewEntry } from "../sessions/entry.ts";
import { SessionChanged, SessionInUse, SessionNotFound, SessionWentBack } from "../sessions/errors.ts";
import { parseSessionId, type SessionId } from "../sessions/ids.ts";
import type { Lease } from "../sessions/lease.ts";
import type { NewFork, NewSession, Session } from "../sessions/session.ts";
import { type Appended, appendEntries } from "./append-batch.ts";
import { planAppend, type SessionEnd } from "./append-plan.ts";
import { areDescriptions, clearAppend, clearedRight, refuseScrubNotes, rightOf } from "./append-right.ts";
import { deleteSession } from "./delete-session.ts";
import type { Guard } from "./guard.ts";
import { endLease, isReplaceable } from "./lease-row.ts";
import { listSessions } from "./list-sessions.ts";
import { readEntries } from "./read-entries.ts";
import { noteInFork } from "./scrub/note-scrubbed.ts";
import { readStored, type StoredSession, seeWriter } from "./session-row.ts";
import type { SqlDriver, SqlRunner } from "./sql-driver.ts";
import { forkSession, requireSame, startSession } from "./start-session.ts";
import { SessionIsDamaged } from "./store-errors.ts";

/** The log over any engine that has a driver. */
export class SqlConversationLog implements ConversationLog {
  readonly #driver: SqlDriver;
  readonly #guard: Guard;
  /** Where the last append of this process ended, and where the next one mostly goes on. */
  #lastEnd: SessionEnd | undefined;
  /** The lease with which it was made. */
  #lastEpoch: number | undefined;

  /** The guard makes fingerprints and markers. */
  constructor(driver: SqlDriver, guard: Guard) {
    this.#driver = driver;
    this.#guard = guard;
  }

  async open(session: NewSession, entries: readonly NewEntry[] = []): Promise<OpenedSession> {
    refuseScrubNotes(entries);
    const { id } = session;
    return this.#driver.transaction(async (transaction) => {
      await startSession(transaction, this.#guard, session);
      const { receipts } =
        entries.length === 0
          ? { receipts: [] }
          : await this.#add(transaction, await this.#locked(transaction, id), undefined, entries);
      return { ...(await seeWriter(await this.#living(transaction, id))), receipts };
    });
  }

  async append(to: SessionId | Lease, entries: readonly NewEntry[]): Promise<readonly Receipt[]> {
    refuseScrubNotes(entries);
    const [session, lease] = typeof to === "string" ? [to, undefined] : [to.session, to];
    return (
      (await this.#goOn(session, lease, entries)) ?? (await this.#appendCarefully(session, lease, entries))
    );
  }

  /** Appends where the last append ended, if that can be done without reading; otherwise does nothing. */
  async #goOn(
    session: SessionId,
    lease: Lease | undefined,
    entries: readonly NewEntry[],
  ): Promise<readonly Receipt[] | undefined> {
    if (this.#lastEnd?.session !== session || areDescriptions(entries)) return undefined;
    const right = rightOf(this.#driver.dialect, lease);
    const plan = planAppend(this.#guard, this.#lastEnd, entries, right);
    if (plan === undefined || !(await this.#driver.runEach(plan.statements))) return undefined;
    this.#lastEnd = plan.end;
    this.#lastEpoch = lease?.epoch;
    return plan.receipts;
  }

  async #appendCarefully(
    session: SessionId,
    lease: Lease | undefined,
    entries: readonly NewEntry[],
  ): Promise<readonly Receipt[]> {
    const { receipts, end } = await this.#driver.transaction(async (transaction) => {
      const stored = await (lease === undefined
        ? this.#locked(transaction, session)
        : this.#held(transaction, lease));
      return this.#add(transaction, stored, lease, entries);
    });
    this.#lastEnd = end;
    this.#lastEpoch = lease?.epoch;
    return receipts;
  }

  async #add(
    transaction: SqlRunner,
    stored: StoredSession,
    lease: Lease | undefined,
    entries: readonly NewEntry[],
  ): Promise<Appended> {
    if ((await clearAppend(stored, lease, entries)) === "end the lease first") {
      await endLease(transaction, stored.key);
    }
    const right = clearedRight(this.#driver.dialect, lease);
    return appendEntries(transaction, this.#guard, stored, entries, right);
  }

  read(session: SessionId, range: ReadRange = {}): AsyncGenerator<Entry> {
    return readEntries(this.#driver, () => this.#living(this.#driver, session), range);
  }

  list(query: SessionQuery = {}): Promise<SessionPage> {
    return listSessions(this.#driver, query);
  }

  fork(fork: NewFork): Promise<Session> {
    const id = parseSessionId(fork.id);
    return this.#driver.transaction(async (transaction) => {
      const known = await readStored(transaction, id);
      if (known !== undefined) {
        requireSame(known, isSameFork(known, fork));
        return seeWriter(known);
      }
      const origin = await this.#locked(transaction, fork.from);
      await forkSession(transaction, origin, this.#guard.redactStart(fork));
      await noteInFork(transaction, this.#guard, id, fork.startedAt);
      return (await this.#living(transaction, id)).session;
    });
  }

  delete(session: SessionId, at: Date, condition?: { readonly ifHead: string | null }): Promise<Deletion> {
    return this.#driver.transaction(async (transaction) => {
      const stored = await this.#locked(transaction, session);
      if (condition !== undefined && condition.ifHead !== stored.session.head)
        throw new SessionChanged(session);
      const { holding } = stored.lease;
      if (holding !== undefined && !(await isReplaceable(holding)))
        throw new SessionInUse(session, holding.holder);
      return deleteSession(transaction, stored, at);
    });
  }

  async verify(
    session: SessionId,
    onProgress: (entries: number) => void = () => undefined,
  ): Promise<Verification> {
    // Loaded here, so that nobody pays for it who only reads and appends.
    const [{ verifySession }, { verifySteadily }] = await Promise.all([
      import("./verify-session.ts"),
      import("./verify-steadily.ts"),
    ]);
    try {
      return await verifySteadily(
        () => this.#verifiable(session),
        (stored) => verifySession(this.#driver, stored, onProgress),
      );
    } catch (error) {
      if (!(error instanceof SessionIsDamaged)) throw error;
      return {
        session,
        entries: 0,
        head: null,
        scrubbed: 0,
        problem: { seq: 0, entry: null, reason: error.message },
      };
    }
  }

  /** Makes sure that the index by which a session is found leads to that session. */
  async #verifiable(session: SessionId): Promise<StoredSession> {
    const stored = await this.#living(this.#driver, session);
    const rows = await this.#driver.all("SELECT id FROM session WHERE key = ?", [stored.key]);
    if (rows[0]?.[0] !== session) throw new SessionIsDamaged(session);
    return stored;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#driver[Symbol.asyncDispose]();
  }

  /** Returns a session that is there, and keeps it as it is until the transaction ends. */
  #locked(transaction: SqlRunner, id: SessionId): Promise<StoredSession> {
    return this.#living(transaction, id, this.#driver.dialect.lockHead);
  }

  /** Returns a session that the caller holds or held; what it has stored is there, unless the store itself went back. */
  async #held(transaction: SqlRunner, { session, epoch }: Lease): Promise<StoredSession> {
    const stored = await readStored(transaction, session, this.#driver.dialect.lockHead);
    const last = this.#lastEpoch === epoch ? this.#lastEnd : undefined;
    const seen = last?.session === session ? last.seq : 0;
    if (stored === undefined || stored.session.entries < seen) throw new SessionWentBack(session);
    if (stored.deletedMs !== null) throw new SessionNotFound(session);
    return stored;
  }

  async #living(runner: SqlRunner, id: SessionId, lock = ""): Promise<StoredSession> {
    const stored = await readStored(runner, id, lock);
    // An id that is stored was checked when it came in.
    if (stored === undefined) throw new SessionNotFound(parseSessionId(id));
    if (stored.deletedMs !== null) throw new SessionNotFound(id);
    return stored;
  }
}

function isSameFork(known: StoredSession, asked: NewFork): boolean {
  const { forkedFrom, startedAt } = known.session;
  return (
    forkedFrom?.session === asked.from &&
    startedAt.getTime() === asked.startedAt.getTime() &&
    (asked.at === undefined || forkedFrom.entry === asked.at)
  );
}
