import { chainStart } from "../sessions/chain.ts";
import type { Receipt } from "../sessions/conversation-log.ts";
import type { NewEntry } from "../sessions/entry.ts";
import { EntryConflict } from "../sessions/errors.ts";
import { AppendBatch } from "./append-batch.ts";
import type { SessionEnd } from "./append-plan.ts";
import { type AppendRight, areDescriptions } from "./append-right.ts";
import type { Guard } from "./guard.ts";
import { findEntry, readLineage } from "./lineage.ts";
import { followEnd } from "./replica/follow-end.ts";
import type { StoredSession } from "./session-row.ts";
import type { SqlRunner } from "./sql-driver.ts";

export interface Appended {
  readonly receipts: readonly Receipt[];
  /** Where the session ends now; undefined for a fork, whose next entry may be one that it shares. */
  readonly end: SessionEnd | undefined;
}

/** Appends a batch to a session; runs inside the caller's transaction, so that it is all or nothing. */
export async function appendEntries(
  runner: SqlRunner,
  guard: Guard,
  stored: StoredSession,
  entries: readonly NewEntry[],
  right: AppendRight,
): Promise<Appended> {
  const lineage = await readLineage(runner, stored);
  const find = (id: NewEntry["id"]) => findEntry(runner, lineage, id);
  const batch = new AppendBatch(runner, guard, { end: toEnd(stored), lineage, find });
  const receipts: Receipt[] = [];
  for (const entry of entries) {
    const receipt = await batch.append(entry);
    if (receipt === undefined) throw new EntryConflict(stored.session.id, entry.id);
    receipts.push(receipt);
  }
  if (receipts.some((receipt) => receipt.isNew)) await batch.saveEnd(right);
  if (areDescriptions(entries)) await followEnd(runner, stored, batch.end.seq);
  return { receipts, end: lineage.length === 1 ? batch.end : undefined };
}

/** Returns where a session ends. */
export function toEnd({ key, projectKey, leaf, leafStrand, facts, session }: StoredSession): SessionEnd {
  const { id, entries, head } = session;
  return { session: id, key, projectKey, seq: entries, hash: head ?? chainStart, leaf, leafStrand, facts };
}
