import type { NewEntry } from "../../sessions/entry.ts";
import type { Described, LinkedEntry } from "../../sessions/replica.ts";
import { AppendBatch, toEnd } from "../append-batch.ts";
import { clearAppend, clearedRight } from "../append-right.ts";
import { decodeContent } from "../entry-codec.ts";
import type { Guard } from "../guard.ts";
import { endLease } from "../lease-row.ts";
import { findEntries, findEntry, readLineage } from "../lineage.ts";
import type { StoredSession } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { followEnd } from "./follow-end.ts";

/** Appends what describes a session elsewhere, as any other entry is appended; what it has of it is left out. */
export async function appendDescribing(
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
