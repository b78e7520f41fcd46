import { describesOnly } from "../../sessions/describing-events.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import { SessionChanged, SessionInUse, SessionNotFound } from "../../sessions/errors.ts";
import { parseSessionId, type SessionId } from "../../sessions/ids.ts";
import type {
  Described,
  Intake,
  Known,
  LinkedEntry,
  ReplicaHead,
  ReplicaSession,
  SharedBase,
  Tombstone,
} from "../../sessions/replica.ts";
import { type SessionFacts, startFacts } from "../../sessions/session-facts.ts";
import { AppendBatch, toEnd } from "../append-batch.ts";
import { describe, isSameDescription, moveEnd, type SessionEnd } from "../append-plan.ts";
import { clearAppend, clearedRight } from "../append-right.ts";
import { deleteSession } from "../delete-session.ts";
import { decodeContent, toMs } from "../entry-codec.ts";
import type { Guard } from "../guard.ts";
import { endLease, isReplaceable } from "../lease-row.ts";
import { findEntries, findEntry, readLineage } from "../lineage.ts";
import { findUnnoted, noteScrubbed } from "../scrub/note-scrubbed.ts";
import { readStored, type StoredSession, sendAll } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { takeProject } from "../sql-projects.ts";
import { type ForkBase, insertSession, readBase, type SessionStart } from "../start-session.ts";
import { SessionIsDamaged } from "../store-errors.ts";
import { describeBy, findKnown, readDescribedFrom } from "./find-known.ts";
import { followEnd } from "./follow-end.ts";
import { noteContinued, noteOrigin } from "./note-origin.ts";
import { readHashes, readRelatives } from "./read-heads.ts";
import { ReceivedEntries } from "./received-entries.ts";
import { spreadScrub } from "./spread-scrub.ts";
import { forgetName, writeTombstone } from "./write-tombstone.ts";

/** What a session begins with, by whether it shares entries of another. */
interface Beginning
  extends Pick<
    SessionStart,
    "projectKey" | "facts" | "baseKey" | "baseSeq" | "baseHash" | "leaf" | "leafStrand"
  > {
  /** For a copy: the entry after which its entries describe it. */
  readonly describedFrom: number | null;
}

/** Lets sessions of other stores in, inside one transaction. */
export class SqlIntake implements Intake {
  readonly #runner: SqlRunner;
  readonly #guard: Guard;
  /** How many entries of a session that was begun here are its origin's, although it holds them itself. */
  readonly #held = new Map<SessionId, number>();
  /** Sessions that were begun here and that nothing was added to: nobody else can know them. */
  readonly #begun = new Map<SessionId, StoredSession>();
  /** The keys of projects. */
  readonly #projects = new Map<string, number>();

  constructor(runner: SqlRunner, guard: Guard) {
    this.#runner = runner;
    this.#guard = guard;
  }

  find(session: SessionId): Promise<Known | undefined> {
    return findKnown(this.#runner, session);
  }

  async hashes(session: SessionId, from: number, to: number): Promise<readonly string[]> {
    return readHashes(this.#runner, await this.#there(session), { from, to });
  }

  async relatives(knownAs: SessionId): Promise<readonly ReplicaHead[]> {
    // Two that bring the same session at once must not both make it, under two names.
    const { familyLock } = this.#runner.dialect;
    const locked = familyLock === null ? [] : [this.#runner.all(familyLock, [knownAs])];
    const relatives = readRelatives(this.#runner, [knownAs]);
    await sendAll([...locked, relatives]);
    return relatives;
  }

  async begin(session: ReplicaSession, base: SharedBase | null): Promise<void> {
    const { client, clientSessionId, machine, forkedFrom, begun = "elsewhere" } = session;
    const startedMs = toMs(session.startedAt);
    const { title, cwd, branch } = this.#redactStart(session);
    const facts = startFacts(startedMs, title);
    const { describedFrom, ...beginning } =
      base === null ? await this.#beginWhole(session, facts) : await this.#beginFork(base, facts);
    const id = parseSessionId(session.id);
    const { knownAs = id } = session;
    const start = { id, client, clientSessionId, cwd, branch, machine, startedMs, forkedFrom };
    const origin = { knownAs, machine, seq: base?.seq ?? 0, describedFrom, begun } as const;
    const [, , stored] = await sendAll([
      insertSession(this.#runner, { ...start, ...beginning }),
      noteOrigin(this.#runner, id, origin),
      readStored(this.#runner, id),
    ]);
    if (base === null && forkedFrom !== null) this.#held.set(id, forkedFrom.seq);
    if (stored !== undefined) this.#begun.set(id, stored);
  }

  async #beginWhole({ project }: ReplicaSession, facts: SessionFacts): Promise<Beginning> {
    const projectKey =
      this.#projects.get(project.id) ?? (await takeProject(this.#runner, this.#guard, project));
    this.#projects.set(project.id, projectKey);
    const nothing = { baseKey: null, baseSeq: 0, baseHash: null, leaf: null, leafStrand: null };
    return { projectKey, facts, ...nothing, describedFrom: null };
  }

  async #beginFork({ session, seq, isSameSession }: SharedBase, facts: SessionFacts): Promise<Beginning> {
    const origin = await this.#living(session);
    const { holder, hash, messages, entry, strand } = await this.#baseAt(origin, seq);
    const start = { ...facts, opening: origin.facts.opening, messages };
    const after = isSameSession ? await readDescribedFrom(this.#runner, origin) : null;
    const lineage = await readLineage(this.#runner, origin);
    return {
      projectKey: origin.projectKey,
      facts: after === null ? start : await describeBy(this.#runner, start, lineage, { after, to: seq }),
      ...{ baseKey: holder, baseSeq: seq, baseHash: hash, leaf: entry, leafStrand: strand },
      describedFrom: after,
    };
  }

  async add(session: SessionId, entries: readonly LinkedEntry[], machine?: string): Promise<number> {
    const stored = this.#begun.get(session) ?? (await this.#writable(session));
    this.#begun.delete(session);
    const lineage = await readLineage(this.#runner, stored);
    const ids = new Set(entries.flatMap(({ id, parent }) => (parent === null ? [id] : [id, parent])));
    const known = new Set((await findEntries(this.#runner, lineage, [...ids])).keys());
    const received = new ReceivedEntries(this.#runner, this.#guard, {
      end: toEnd(stored),
      known,
      held: this.#held.get(session) ?? 0,
    });
    await received.storeBodies(entries);
    const { end } = received;
    await sendAll([
      received.insert(),
      this.#moveEnd(toEnd(stored), end),
      this.#noteCame(stored, { entries, machine, seq: end.seq }),
    ]);
    return received.replaced;
  }

  /** Remembers whose work a session is now. */
  async #noteCame(
    stored: StoredSession,
    { entries, machine, seq }: { entries: readonly LinkedEntry[]; machine: string | undefined; seq: number },
  ): Promise<void> {
    const { id, entries: entriesBefore } = stored.session;
    if (entries.every(describesOnly)) await followEnd(this.#runner, stored, seq);
    else if (machine !== undefined)
      await noteOrigin(this.#runner, id, { knownAs: id, machine, seq, begun: "here", entriesBefore });
  }

  replace(session: SessionId, entries: readonly LinkedEntry[], at: Date): Promise<number> {
    return spreadScrub(this.#runner, this.#guard, { session, entries, at });
  }

  async describe(session: SessionId, entries: readonly LinkedEntry[]): Promise<Described> {
    this.#begun.delete(session);
    const stored = await this.#living(session, this.#runner.dialect.lockHead);
    return appendDescribing(this.#runner, this.#guard, stored, entries);
  }

  async giveUp(
    { session, head, isOwn }: Pick<ReplicaHead, "session" | "head" | "isOwn">,
    heir: SessionId,
    at: Date,
  ): Promise<void> {
    const stored = await this.#writable(session);
    if (stored.session.head !== head) throw new SessionChanged(session);
    await deleteSession(this.#runner, stored, at);
    await forgetName(this.#runner, stored);
    if (isOwn) await noteContinued(this.#runner, heir);
  }

  async bury(
    tombstone: Tombstone,
    sessions: readonly Pick<ReplicaHead, "session" | "head">[],
  ): Promise<void> {
    const buried: StoredSession[] = [];
    for (const { session, head } of sessions) {
      const stored = await this.#writable(session);
      if (stored.session.head !== head) throw new SessionChanged(session);
      await deleteSession(this.#runner, stored, tombstone.deletedAt);
      buried.push(stored);
    }
    await writeTombstone(this.#runner, this.#guard, tombstone, buried);
  }

  async finish(session: SessionId, at: Date): Promise<number> {
    const lineage = await readLineage(this.#runner, await this.#living(session));
    const entries = await findUnnoted(this.#runner, lineage);
    await noteScrubbed(this.#runner, this.#guard, session, { at, entries });
    return entries.length;
  }

  async #moveEnd(from: SessionEnd, to: SessionEnd): Promise<void> {
    const moving = moveEnd(from, to, clearedRight(this.#runner.dialect, undefined));
    const isSame = isSameDescription(from.facts, to.facts);
    const statements = isSame ? [moving] : [moving, describe(from.key, to.facts)];
    const [moved] = await sendAll(statements.map(({ sql, params }) => this.#runner.run(sql, params)));
    if (moved !== 1) throw new SessionIsDamaged(from.session);
  }

  #redactStart({ title, cwd, branch }: ReplicaSession): Pick<ReplicaSession, "title" | "cwd" | "branch"> {
    const redact = (text: string | null) => (text === null ? null : this.#guard.redactText(text));
    return { title: redact(title), cwd: this.#guard.redactText(cwd), branch: redact(branch) };
  }

  async #baseAt(origin: StoredSession, seq: number): Promise<ForkBase> {
    const lineage = await readLineage(this.#runner, origin);
    const segment = lineage.find(({ from, to }) => from <= seq && seq <= to);
    if (segment === undefined) throw new SessionIsDamaged(origin.session.id);
    return readBase(this.#runner, origin, { seq, segment });
  }

  async #there(session: SessionId): Promise<StoredSession> {
    const stored = await readStored(this.#runner, parseSessionId(session));
    if (stored === undefined) throw new SessionNotFound(session);
    return stored;
  }

  async #living(session: SessionId, lock = ""): Promise<StoredSession> {
    const stored = await readStored(this.#runner, parseSessionId(session), lock);
    if (stored === undefined || stored.deletedMs !== null) throw new SessionNotFound(session);
    return stored;
  }

  /** Returns a session that nobody writes, and keeps it as it is until the transaction ends. */
  async #writable(session: SessionId): Promise<StoredSession> {
    const stored = await this.#living(session, this.#runner.dialect.lockHead);
    const { holding } = stored.lease;
    if (holding === undefined) return stored;
    if (!(await isReplaceable(holding))) throw new SessionInUse(session, holding.holder);
    await endLease(this.#runner, stored.key);
    return stored;
  }
}

/** Appends what describes a session elsewhere, as any other entry is appended; what it has of it is left out. */
async function appendDescribing(
  runner: SqlRunner,
  guard: Guard,
  stored: StoredSession,
  entries: readonly LinkedEntry[],
): Promise<Described> {
  const lineage = await readLineage(runner, stored);
  const ids = entries.map(({ id }) => id);
  const known = await findEntries(runner, lineage, ids);
  const lacking = entries.filter(({ id }) => !known.has(id)).map(toNewEntry);
  // One that lacks nothing needs nobody's leave.
  if (lacking.length > 0 && (await clearAppend(stored, undefined, lacking)) === "end the lease first")
    await endLease(runner, stored.key);
  const batch = new AppendBatch(runner, guard, {
    end: toEnd(stored),
    lineage,
    find: (id) => findEntry(runner, lineage, id),
  });
  let hasConflict = false;
  for (const entry of entries) hasConflict ||= (await batch.append(toNewEntry(entry))) === undefined;
  if (lacking.length > 0) await batch.saveEnd(clearedRight(runner.dialect, undefined));
  await followEnd(runner, stored, batch.end.seq);
  return { added: lacking.length, hasConflict };
}

/** The parent is the newest entry of its strand here. */
function toNewEntry({ id, at, strand, kind, body }: LinkedEntry): NewEntry {
  return { ...decodeContent(kind, body), id, at, strand };
}
