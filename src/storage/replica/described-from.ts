import type { EntryContent } from "../../sessions/entry.ts";
import type { EntryId } from "../../sessions/ids.ts";
import { applyEntry, type SessionFacts } from "../../sessions/session-facts.ts";
import { decodeBody, decodeContent } from "../entry-codec.ts";
import type { Segment } from "../lineage.ts";
import type { StoredSession } from "../session-row.ts";
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
