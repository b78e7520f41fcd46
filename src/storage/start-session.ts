import { EntryNotFound, nothingToFork, SessionConflict, SessionWasDeleted } from "../sessions/errors.ts";
import { type EntryId, parseEntryId, parseSessionId, type SessionId, type Strand } from "../sessions/ids.ts";
import type { ClientName, ForkPoint, NewFork, NewSession } from "../sessions/session.ts";
import { type SessionFacts, startFacts } from "../sessions/session-facts.ts";
import { toBytes, toHex, toMs } from "./entry-codec.ts";
import type { Guard } from "./guard.ts";
import { findEntry, type Place, readLineage, type Segment } from "./lineage.ts";
import { foldTitle, readStored, type StoredSession, sendAll, toTagColumns } from "./session-row.ts";
import type { SqlRunner } from "./sql-driver.ts";

/** Everything that a new session begins with. */
export interface SessionStart {
  readonly id: SessionId;
  readonly client: ClientName;
  readonly clientSessionId: string | null;
  readonly cwd: string;
  readonly branch: string | null;
  readonly machine: string;
  readonly startedMs: number;
  readonly forkedFrom: ForkPoint | null;
  readonly baseKey: number | null;
  readonly baseSeq: number;
  readonly baseHash: string | null;
  readonly projectKey: number;
  readonly facts: SessionFacts;
  readonly leaf: EntryId | null;
  readonly leafStrand: Strand | null;
}

/** Writes the two rows of a new session. */
export async function insertSession(runner: SqlRunner, start: SessionStart): Promise<void> {
  const { facts } = start;
  const { title, tags, status } = facts;
  const baseHash = start.baseHash === null ? null : toBytes(start.baseHash);
  const session = runner.run(
    `INSERT INTO session (id, client, client_session_id, cwd, branch, machine, started_ms,
       forked_from_session, forked_from_entry, base_key, base_seq, base_hash,
       title, title_ms, title_by, title_folded, opening, tags, tag_facts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[
        start.id,
        start.client,
        start.clientSessionId,
        start.cwd,
        start.branch,
        start.machine,
        start.startedMs,
      ],
      ...[start.forkedFrom?.session ?? null, start.forkedFrom?.entry ?? null],
      ...[start.baseKey, start.baseSeq, baseHash],
      ...[title.value, title.stamp.atMs, title.stamp.by, foldTitle(title.value ?? facts.opening ?? "")],
      ...[facts.opening, ...toTagColumns(tags)],
    ],
  );
  const head = runner.run(
    `INSERT INTO session_head (session_key, project_key, updated_ms, deleted_ms, status, status_ms, status_by,
       head_seq, head_hash, messages, leaf, leaf_strand)
     VALUES ((SELECT key FROM session WHERE id = ?), ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[start.id, start.projectKey, facts.updatedMs],
      ...[status.value, status.stamp.atMs, status.stamp.by],
      ...[start.baseSeq, baseHash, facts.messages, start.leaf, start.leafStrand],
    ],
  );
  await sendAll([session, head]);
}

/** Makes a session unless the same one was made before; runs inside the caller's transaction. */
export async function startSession(runner: SqlRunner, guard: Guard, session: NewSession): Promise<void> {
  const known = await readStored(runner, session.id);
  if (known !== undefined) return requireSame(known, isSameStart(known, session));
  const rows = await runner.all("SELECT key FROM project WHERE id = ?", [session.project]);
  if (rows[0] === undefined)
    throw new SessionConflict(session.id, `its project ${session.project} is not known`);
  const startedMs = toMs(session.startedAt);
  const { cwd, branch, title } = guard.redactStart(session);
  await insertSession(runner, {
    id: parseSessionId(session.id),
    facts: startFacts(startedMs, title ?? null),
    client: session.client,
    clientSessionId: session.clientSessionId ?? null,
    cwd,
    branch: branch ?? null,
    machine: session.machine,
    startedMs,
    projectKey: rows[0][0] as number,
    ...{ forkedFrom: null, baseKey: null, baseSeq: 0, baseHash: null, leaf: null, leafStrand: null },
  });
}

/** Throws unless a session that has the id is the one that was asked for, and there. */
export function requireSame(known: StoredSession, isSame: boolean): void {
  if (known.deletedMs !== null) throw new SessionWasDeleted(known.session.id);
  if (!isSame) throw new SessionConflict(known.session.id, "another session has this id");
}

function isSameStart(known: StoredSession, asked: NewSession): boolean {
  const { client, project, startedAt, forkedFrom } = known.session;
  return (
    client === asked.client &&
    project === asked.project &&
    forkedFrom === null &&
    startedAt.getTime() === asked.startedAt.getTime()
  );
}

/** Where a fork begins: the last shared entry and what goes on from it. */
export interface ForkBase {
  /** The session that holds the entry, which may be an ancestor of the one that was asked for. */
  readonly holder: number;
  readonly seq: number;
  readonly hash: string | null;
  readonly entry: EntryId;
  readonly strand: Strand;
  readonly messages: number;
}

/** Writes the row of a fork; nothing of its origin is copied or touched. */
export async function forkSession(runner: SqlRunner, origin: StoredSession, fork: NewFork): Promise<void> {
  const base = await locateBase(runner, origin, fork.at);
  const title = fork.title ?? origin.facts.title.value;
  await insertSession(runner, {
    id: fork.id,
    client: origin.session.client,
    clientSessionId: fork.clientSessionId ?? null,
    cwd: fork.cwd,
    branch: fork.branch ?? null,
    machine: fork.machine,
    startedMs: toMs(fork.startedAt),
    forkedFrom: { session: origin.session.id, entry: base.entry },
    baseKey: base.holder,
    baseSeq: base.seq,
    baseHash: base.hash,
    projectKey: origin.projectKey,
    facts: {
      ...startFacts(fork.startedAt.getTime(), title),
      opening: origin.facts.opening,
      messages: base.messages,
    },
    leaf: base.entry,
    leafStrand: base.strand,
  });
}

async function locateBase(
  runner: SqlRunner,
  origin: StoredSession,
  at: EntryId | undefined,
): Promise<ForkBase> {
  const lineage = await readLineage(runner, origin);
  return readBase(
    runner,
    origin,
    at === undefined ? newest(origin, lineage) : await locate(runner, origin, lineage, at),
  );
}

/** Returns what a fork begins with that shares a session up to a place. */
export async function readBase(
  runner: SqlRunner,
  origin: StoredSession,
  { seq, segment }: Place,
): Promise<ForkBase> {
  const rows = await runner.all(
    "SELECT hash, messages, id, strand FROM entry WHERE session_key = ? AND seq = ?",
    [segment.key, seq],
  );
  const [hash, messages, entry, strand] = rows[0] ?? [];
  if (entry === undefined) throw new EntryNotFound(origin.session.id, String(seq));
  return {
    holder: segment.key,
    seq,
    hash: toHex(hash),
    entry: entry as EntryId,
    strand: strand as Strand,
    messages: messages as number,
  };
}

async function locate(
  runner: SqlRunner,
  origin: StoredSession,
  lineage: readonly Segment[],
  at: EntryId,
): Promise<Place> {
  const place = await findEntry(runner, lineage, parseEntryId(at));
  if (place === undefined) throw new EntryNotFound(origin.session.id, at);
  return place;
}

function newest(origin: StoredSession, lineage: readonly Segment[]): Place {
  const segment = lineage.findLast((each) => each.from <= each.to);
  if (segment === undefined) {
    throw nothingToFork(origin.session.id);
  }
  return { seq: segment.to, segment };
}
