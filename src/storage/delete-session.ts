import type { Deletion } from "../sessions/conversation-log.ts";
import { nativePrefix } from "../sessions/ingestion.ts";
import { toMs } from "./entry-codec.ts";
import { endLease } from "./lease-row.ts";
import { keepHashes } from "./replica/read-heads.ts";
import type { StoredSession } from "./session-row.ts";
import type { SqlRunner } from "./sql-driver.ts";

/** Marks a session as deleted and reclaims its entries, and those of its deleted origins, that no fork shares. */
export async function deleteSession(runner: SqlRunner, stored: StoredSession, at: Date): Promise<Deletion> {
  await endLease(runner, stored.key);
  await keepHashes(runner, stored);
  await runner.run("UPDATE session_head SET deleted_ms = ? WHERE session_key = ?", [toMs(at), stored.key]);
  // The tombstone keeps the id and the head; what was said or where must not stay in it.
  await runner.run(
    "UPDATE session SET title = NULL, title_folded = '', opening = NULL, tags = '[]', tag_facts = '[]', cwd = '', branch = NULL WHERE key = ?",
    [stored.key],
  );
  await runner.run("DELETE FROM ingestion WHERE session_id = ? AND path NOT LIKE ?", [
    stored.session.id,
    `${nativePrefix}%`,
  ]);
  await (await import("./digests/forget-digests.ts")).forgetDigests(runner, [stored.key]);
  let reclaimed = 0;
  let key: number | null = stored.key;
  // An origin that was deleted earlier may have been kept alive by this session alone.
  while (key !== null && (await isDeleted(runner, key))) {
    reclaimed += await reclaim(runner, key);
    key = await readBase(runner, key);
  }
  const left = await runner.all("SELECT count(*) FROM entry WHERE session_key = ?", [stored.key]);
  return { session: stored.session.id, reclaimed, shared: left[0]?.[0] as number };
}

async function isDeleted(runner: SqlRunner, key: number): Promise<boolean> {
  const rows = await runner.all("SELECT deleted_ms FROM session_head WHERE session_key = ?", [key]);
  return rows[0]?.[0] !== null;
}

async function readBase(runner: SqlRunner, key: number): Promise<number | null> {
  const rows = await runner.all("SELECT base_key FROM session WHERE key = ?", [key]);
  return (rows[0]?.[0] ?? null) as number | null;
}

/** Removes what comes after the last entry that a living fork shares; returns how many entries are gone. */
async function reclaim(runner: SqlRunner, key: number): Promise<number> {
  const keepUpTo = await lastSharedSeq(runner, key);
  // Loaded here: few commands delete.
  await (await import("./search/forget.ts")).forgetEntries(runner, key, keepUpTo);
  const gone = "SELECT body_key FROM entry WHERE session_key = ? AND seq > ?";
  await runner.run(
    `WITH gone AS (SELECT body_key, count(*) AS times FROM entry WHERE session_key = ? AND seq > ? GROUP BY body_key)
     UPDATE body SET refs = refs - gone.times FROM gone WHERE body.key = gone.body_key`,
    [key, keepUpTo],
  );
  await runner.run(`DELETE FROM body WHERE refs <= 0 AND key IN (${gone})`, [key, keepUpTo]);
  await runner.run("DELETE FROM strand WHERE session_key = ?", [key]);
  await runner.run("DELETE FROM scrubbed_entry WHERE session_key = ? AND seq > ?", [key, keepUpTo]);
  return runner.run("DELETE FROM entry WHERE session_key = ? AND seq > ?", [key, keepUpTo]);
}

/** A fork needs its base while it is not deleted itself, or while entries of its own are still kept for its forks. */
async function lastSharedSeq(runner: SqlRunner, key: number): Promise<number> {
  const rows = await runner.all(
    `SELECT max(s.base_seq) FROM session s JOIN session_head h ON h.session_key = s.key
     WHERE s.base_key = ? AND (h.deleted_ms IS NULL OR EXISTS (SELECT 1 FROM entry e WHERE e.session_key = s.key))`,
    [key],
  );
  return (rows[0]?.[0] ?? 0) as number;
}
