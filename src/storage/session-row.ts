import type { EntryId, SessionId, Strand } from "../sessions/ids.ts";
import type { ProjectId } from "../sessions/project.ts";
import type { ClientName, Session, SessionStatus } from "../sessions/session.ts";
import type { SessionFacts, TagFact } from "../sessions/session-facts.ts";
import { type ColumnType, hasTypes, toHex } from "./entry-codec.ts";
import { fromLeaseColumns, isReplaceable, leaseColumns, type StoredLease } from "./lease-row.ts";
import type { Dialect, Row, SqlRunner } from "./sql-driver.ts";
import { SessionIsDamaged } from "./store-errors.ts";

/** A session as it is stored, with what only storage knows. */
export interface StoredSession {
  readonly key: number;
  readonly projectKey: number;
  readonly session: Session;
  readonly facts: SessionFacts;
  /** The session that holds the entries up to `baseSeq`; null when it holds all of its own. */
  readonly baseKey: number | null;
  readonly baseSeq: number;
  readonly baseHash: string | null;
  readonly leaf: EntryId | null;
  readonly leafStrand: Strand | null;
  readonly deletedMs: number | null;
  readonly lease: StoredLease;
}

/** The select list that `fromSessionRow` expects, over `sessionTables`. */
export const sessionColumns = (dialect: Dialect): string => `
  s.key, s.id, s.client, s.client_session_id, s.cwd, s.branch, s.machine, s.started_ms,
  s.forked_from_session, s.forked_from_entry, s.base_key, s.base_seq, s.base_hash,
  s.title, s.title_ms, s.title_by, s.opening, s.tag_facts,
  h.project_key, h.updated_ms, h.deleted_ms, h.status, h.status_ms, h.status_by,
  h.head_seq, h.head_hash, h.messages, h.leaf, h.leaf_strand, p.id, p.name,
  ${leaseColumns(dialect)}`;

/** The types of `sessionColumns`, line by line. */
const sessionTypes: readonly ColumnType[] = [
  ...(["integer", "text", "text", "text?", "text", "text?", "text", "moment"] as const),
  ...(["text?", "text?", "integer?", "integer", "bytes?"] as const),
  ...(["text?", "moment", "text", "text?", "text"] as const),
  ...(["integer", "moment", "moment?", "text", "moment", "text"] as const),
  ...(["integer", "bytes?", "integer", "text?", "text?", "text", "text"] as const),
  ...(["integer", "moment?", "integer", "text?"] as const),
];

export const sessionTables = `
  session s JOIN session_head h ON h.session_key = s.key JOIN project p ON p.key = h.project_key
  LEFT JOIN lease l ON l.session_key = s.key`;

/** Returns a session by its id, tombstones included; `lock` keeps it from changing until the transaction ends. */
export async function readStored(
  runner: SqlRunner,
  id: SessionId,
  lock = "",
): Promise<StoredSession | undefined> {
  const found = "FROM session s JOIN session_head h ON h.session_key = s.key WHERE s.id = ?";
  // In a statement of its own: what one that waited for the lock reads of other tables is from before it waited.
  const locked = lock === "" ? [] : [runner.all(`SELECT h.session_key ${found}${lock}`, [id])];
  const sql = `SELECT ${sessionColumns(runner.dialect)} FROM ${sessionTables} WHERE s.id = ?`;
  const row = (await sendAll([...locked, runner.all(sql, [id])])).at(-1)?.[0];
  return row === undefined ? undefined : fromSessionRow(row);
}

/** Turns a row of `sessionColumns`, and of more after them, into a session. */
export function fromSessionRow(row: Row): StoredSession {
  if (!hasTypes(row, sessionTypes)) throw new SessionIsDamaged(String(row[1]));
  const [key, id, client, clientSessionId, cwd, branch, machine, startedMs, ...afterStart] = row;
  const [forkSession, forkEntry, baseKey, baseSeq, baseHash, ...described] = afterStart;
  const [title, titleMs, titleBy, opening, tagFacts, ...head] = described;
  const [projectKey, updatedMs, deletedMs, status, statusMs, statusBy, ...chain] = head;
  const [headSeq, headHash, messages, leaf, leafStrand, projectId, projectName, ...lease] = chain;
  const facts: SessionFacts = {
    title: { value: title as string | null, stamp: { atMs: titleMs as number, by: titleBy as string } },
    tags: parseTagFacts(id as string, tagFacts as string),
    status: { value: status as SessionStatus, stamp: { atMs: statusMs as number, by: statusBy as string } },
    opening: opening as string | null,
    updatedMs: updatedMs as number,
    messages: messages as number,
  };
  return {
    key: key as number,
    projectKey: projectKey as number,
    facts,
    baseKey: baseKey as number | null,
    baseSeq: baseSeq as number,
    baseHash: toHex(baseHash),
    leaf: leaf as EntryId | null,
    leafStrand: leafStrand as Strand | null,
    deletedMs: deletedMs as number | null,
    lease: fromLeaseColumns(id as string, lease),
    session: {
      id: id as SessionId,
      project: projectId as ProjectId,
      projectName: projectName as string,
      client: client as ClientName,
      clientSessionId: clientSessionId as string | null,
      title: facts.title.value ?? facts.opening ?? "",
      cwd: cwd as string,
      branch: branch as string | null,
      machine: machine as string,
      startedAt: new Date(startedMs as number),
      updatedAt: new Date(facts.updatedMs),
      endedAt: facts.status.value === "open" ? null : new Date(facts.status.stamp.atMs),
      status: facts.status.value,
      writer: null,
      forkedFrom:
        forkSession === null ? null : { session: forkSession as SessionId, entry: forkEntry as EntryId },
      tags: listTags(facts.tags),
      entries: headSeq as number,
      messages: facts.messages,
      head: toHex(headHash),
    },
  };
}

/** Returns a session with what its lease tells at this moment: who writes it, or that its writer is gone. */
export async function seeWriter({ session, lease }: StoredSession): Promise<Session> {
  if (lease.holding === undefined) return session;
  if (!(await isReplaceable(lease.holding))) return { ...session, writer: lease.holding.holder };
  if (session.status !== "open") return session;
  return { ...session, status: "interrupted", endedAt: session.updatedAt };
}

/** The two columns of tags: those that are set, for filters, and everything that is known of them. */
export function toTagColumns(tags: readonly TagFact[]): readonly [tags: string, tagFacts: string] {
  const facts = tags.map(({ tag, isSet, stamp }) => [tag, isSet, stamp.atMs, stamp.by]);
  return [JSON.stringify(listTags(tags)), JSON.stringify(facts)];
}

function parseTagFacts(session: string, text: string): readonly TagFact[] {
  try {
    const facts: [string, boolean, number, string][] = JSON.parse(text);
    return facts.map(([tag, isSet, atMs, by]) => ({ tag, isSet, stamp: { atMs, by } }));
  } catch (error) {
    throw new SessionIsDamaged(session, error);
  }
}

function listTags(tags: readonly TagFact[]): readonly string[] {
  return tags.flatMap(({ tag, isSet }) => (isSet ? [tag] : []));
}

/** Returns a title in the form in which titles are compared: no matter the case or the width of its letters. */
export function foldTitle(title: string): string {
  return title.normalize("NFKC").toLowerCase();
}

/**
 * Waits for statements that were sent together, since a round trip each may cost more than they do; throws what the first
 * that failed did.
 *
 * A server does them in their order. The others fail after the first, each with an error that nobody asks for.
 */
export async function sendAll<const Sent extends readonly Promise<unknown>[]>(
  sent: Sent,
): Promise<{ -readonly [Index in keyof Sent]: Awaited<Sent[Index]> }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
