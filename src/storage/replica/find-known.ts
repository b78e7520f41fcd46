import { chainStart } from "../../sessions/chain.ts";
import type { EntryContent } from "../../sessions/entry.ts";
import { type EntryId, parseSessionId, type SessionId } from "../../sessions/ids.ts";
import type { Known, PlacedForkPoint } from "../../sessions/replica.ts";
import { applyEntry, type SessionFacts } from "../../sessions/session-facts.ts";
import { decodeBody, decodeContent, toHex } from "../entry-codec.ts";
import { readLineage, type Segment } from "../lineage.ts";
import { readStored, type StoredSession } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";

/** Returns the entry after which those of a session describe it: where somebody forked it, or 0. */
export async function readDescribedFrom(
  runner: SqlRunner,
  { key, baseKey, baseSeq, session }: StoredSession,
): Promise<number> {
  const copy = await readCopyStart(runner, key);
  if (copy !== null) return copy;
  if (baseKey !== null || session.forkedFrom === null) return baseSeq;
  const rows = await runner.all("SELECT seq FROM entry WHERE session_key = ? AND id = ?", [
    key,
    session.forkedFrom.entry,
  ]);
  return (rows[0]?.[0] ?? 0) as number;
}

/** Returns the same of a copy that went its own way; null for any other session. */
export async function readCopyStart(runner: SqlRunner, key: number): Promise<number | null> {
  const rows = await runner.all("SELECT described_from FROM replica WHERE session_key = ?", [key]);
  return (rows[0]?.[0] ?? null) as number | null;
}

const silent: EntryContent = { kind: "message", role: "assistant", parts: [] };

/** Returns the facts of a session after a stretch of entries that describe it. */
export async function describeBy(
  runner: SqlRunner,
  facts: SessionFacts,
  lineage: readonly Segment[],
  { after, to }: { readonly after: number; readonly to: number },
): Promise<SessionFacts> {
  let described = facts;
  for (const segment of lineage) {
    const range = [segment.key, Math.max(after + 1, segment.from), Math.min(to, segment.to)];
    const within = "e.session_key = ? AND e.seq BETWEEN ? AND ?";
    const events = await runner.all(
      `SELECT e.id, e.at_ms, b.json, b.zstd FROM entry e JOIN body b ON b.key = e.body_key
       WHERE ${within} AND e.kind = 'event' ORDER BY e.seq`,
      range,
    );
    // Of the messages only the last one by the clock counts, and nothing of what it says.
    const messages = await runner.all(
      `SELECT e.id, e.at_ms FROM entry e WHERE ${within} AND e.kind = 'message' AND e.at_ms =
         (SELECT max(e.at_ms) FROM entry e WHERE ${within} AND e.kind = 'message')`,
      [...range, ...range],
    );
    for (const [id, atMs, json, zstd] of [...events, ...messages]) {
      const body = decodeBody(json, zstd);
      const content = body === undefined ? silent : decodeContent("event", body);
      described = applyEntry(described, { id: id as EntryId, at: new Date(atMs as number), content });
    }
  }
  const { messages, opening } = facts;
  return { ...described, messages, opening };
}

/** Returns what is known of a session, tombstones included. */
export async function findKnown(runner: SqlRunner, session: SessionId): Promise<Known | undefined> {
  const stored = await readStored(runner, parseSessionId(session));
  if (stored === undefined) return undefined;
  if (stored.deletedMs !== null) return { type: "deleted", at: new Date(stored.deletedMs) };
  const { id, client, clientSessionId, cwd, branch, machine, startedAt, entries, head } = stored.session;
  const { title } = stored.facts;
  const knownAs = await findKnownAs(runner, stored);
  const copyStart = await readCopyStart(runner, stored.key);
  return {
    type: "there",
    session: {
      ...(knownAs === id ? {} : { knownAs }),
      ...{ id, client, clientSessionId, cwd, branch, machine, startedAt, entries, head },
      project: { id: stored.session.project, name: stored.session.projectName },
      title: title.stamp.by === "" ? title.value : null,
      forkedFrom: await placeForkPoint(runner, stored),
      ...(copyStart !== null && { copyForkedFrom: await placeCopied(runner, stored, copyStart) }),
    },
  };
}

/** Returns the id by which other stores know a session. */
export async function findKnownAs(runner: SqlRunner, { key, session }: StoredSession): Promise<SessionId> {
  const rows = await runner.all("SELECT known_as FROM replica WHERE session_key = ?", [key]);
  return (rows[0]?.[0] ?? session.id) as SessionId;
}

/** A fork whose origin is not here has the entry at which it was forked among its own. */
async function placeForkPoint(runner: SqlRunner, stored: StoredSession): Promise<PlacedForkPoint | null> {
  const { forkedFrom } = stored.session;
  if (forkedFrom === null) return null;
  if (stored.baseKey !== null)
    return { ...forkedFrom, seq: stored.baseSeq, hash: stored.baseHash ?? chainStart };
  const rows = await runner.all("SELECT seq, hash FROM entry WHERE session_key = ? AND id = ?", [
    stored.key,
    forkedFrom.entry,
  ]);
  const [seq, hash] = rows[0] ?? [];
  return typeof seq === "number" ? { ...forkedFrom, seq, hash: toHex(hash) ?? chainStart } : null;
}

/** Returns where somebody forked the session that a copy is one of: among its origins, the one that begins there. */
async function placeCopied(
  runner: SqlRunner,
  stored: StoredSession,
  seq: number,
): Promise<PlacedForkPoint | null> {
  if (seq === 0) return null;
  for (const { session } of await readLineage(runner, stored)) {
    const origin = await readStored(runner, session);
    const point = origin && (await placeForkPoint(runner, origin));
    if (point?.seq === seq) return point;
  }
  return null;
}
