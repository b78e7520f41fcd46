import type { SessionId } from "../../sessions/ids.ts";
import type { SqlRunner } from "../sql-driver.ts";

/** A session that is there and has entries of another, or its own. */
export interface Sharer {
  readonly session: SessionId;
  /** The last entry of the holder that it has. */
  readonly upTo: number;
}

/**
 * Returns the sessions that have entries which one session holds: itself, its forks and theirs; deleted ones left out.
 *
 * A fork is made after what it forks, so that damaged rows cannot send the query in circles.
 */
export async function readSharers(runner: SqlRunner, holder: number): Promise<readonly Sharer[]> {
  const rows = await runner.all(
    `WITH RECURSIVE sharer (key, upto) AS (
       SELECT key, CAST(${Number.MAX_SAFE_INTEGER} AS BIGINT) FROM session WHERE key = ?
       UNION ALL
       SELECT s.key, CASE WHEN sharer.key = ? THEN s.base_seq ELSE sharer.upto END
       FROM sharer JOIN session s ON s.base_key = sharer.key AND s.key > sharer.key
     )
     SELECT s.id, sharer.upto FROM sharer JOIN session s ON s.key = sharer.key
     JOIN session_head h ON h.session_key = s.key WHERE h.deleted_ms IS NULL ORDER BY s.key`,
    [holder, holder],
  );
  return rows.map(([session, upTo]) => ({ session: session as SessionId, upTo: upTo as number }));
}
