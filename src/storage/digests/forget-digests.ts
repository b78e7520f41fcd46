import { beginForgetting } from "../search/forget.ts";
import type { SqlRunner } from "../sql-driver.ts";

/**
 * Forgets the digests of sessions and of their forks, and theirs; called in the transaction that changes what they say.
 *
 * Nobody can keep another one until the transaction ends, and none that was made from what was read before it.
 */
export async function forgetDigests(transaction: SqlRunner, sessionKeys: Iterable<number>): Promise<void> {
  await beginForgetting(transaction);
  for (const key of new Set(sessionKeys)) await transaction.run(forget, [key]);
}

/** A fork is made after its origin, so that damaged rows cannot send the query in circles. */
const forget = `WITH RECURSIVE sharer (key) AS (
    SELECT key FROM session WHERE key = ?
    UNION ALL
    SELECT s.key FROM sharer JOIN session s ON s.base_key = sharer.key AND s.key > sharer.key
  )
  DELETE FROM session_digest WHERE session_key IN (SELECT key FROM sharer)`;
