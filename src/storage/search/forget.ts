import type { SqlDriver, SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { removeDocuments } from "./index-entries.ts";

/**
 * Begins to take something out of the index: nobody else changes it until the transaction ends, and what others have read
 * to put in counts no more.
 */
export async function beginForgetting(transaction: SqlRunner): Promise<void> {
  await searchDialect(transaction).lock(transaction);
  await transaction.run("UPDATE search_state SET revision = revision + 1");
}

/** Takes the entries of a session after one of them out of the index, and its title. */
export async function forgetEntries(
  transaction: SqlRunner,
  sessionKey: number,
  after: number,
): Promise<void> {
  await beginForgetting(transaction);
  const gone = { sql: "session_key = ? AND (seq > ? OR seq = 0)", params: [sessionKey, after] };
  await removeDocuments(transaction, gone);
  await transaction.run("UPDATE search_progress SET title = NULL WHERE session_key = ?", [sessionKey]);
}

/** Takes sessions out of the index of which something says something else now; they are indexed anew. */
export async function forgetSessions(transaction: SqlRunner, sessionKeys: Iterable<number>): Promise<void> {
  await beginForgetting(transaction);
  for (const key of new Set(sessionKeys)) {
    await removeDocuments(transaction, { sql: "session_key = ?", params: [key] });
    await transaction.run("DELETE FROM search_progress WHERE session_key = ?", [key]);
  }
}

/** Takes the sessions out of the index of which it keeps a title, or the name of a tool, that a scrub changes. */
export async function scrubIndex(driver: SqlDriver, scrub: (text: string) => string): Promise<void> {
  const kept = await driver.all(
    `SELECT session_key, title FROM search_progress WHERE title IS NOT NULL
     UNION SELECT session_key, tools FROM search_document WHERE tools IS NOT NULL`,
  );
  const found = kept.filter(([, text]) => scrub(String(text)) !== text);
  if (found.length === 0) return;
  await driver.transaction(async (transaction) => {
    await transaction.run("INSERT INTO wipe_due VALUES (1) ON CONFLICT DO NOTHING");
    await forgetSessions(
      transaction,
      found.map(([key]) => key as number),
    );
  });
}

/** Rewrites the index, so that it no longer holds words of what was taken out of it. */
export async function rewriteIndex(driver: SqlDriver): Promise<void> {
  await driver.transaction(async (transaction) => {
    const dialect = searchDialect(transaction);
    await dialect.lock(transaction);
    await dialect.rewrite(transaction);
  });
}
