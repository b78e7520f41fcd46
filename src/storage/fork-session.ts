import { EntryNotFound, nothingToFork } from "../sessions/errors.ts";
import { type EntryId, parseEntryId, type Strand } from "../sessions/ids.ts";
import type { NewFork } from "../sessions/session.ts";
import { startFacts } from "../sessions/session-facts.ts";
import { toHex, toMs } from "./entry-codec.ts";
import { insertSession } from "./insert-session.ts";
import { findEntry, type Place, readLineage, type Segment } from "./lineage.ts";
import type { StoredSession } from "./session-row.ts";
import type { SqlRunner } from "./sql-driver.ts";

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
