import type { SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { readDocuments, removeIndexed, titleDocuments } from "./index-entries.ts";
import { readState, readTitle } from "./read-behind.ts";

/**
 * Begins to take something out of the index: nobody else changes it until the transaction ends, and what others have read
 * to put in counts no more. Tells whether there is something: an index of other rules is made anew anyway.
 */
export async function beginForgetting(transaction: SqlRunner): Promise<boolean> {
  await searchDialect(transaction).lock(transaction);
  await transaction.run("UPDATE search_state SET revision = revision + 1");
  return (await readState(transaction)).isCurrent;
}

/** Says that the index is to be rewritten, because it still holds words of what was taken out. */
export async function needRewrite(transaction: SqlRunner): Promise<void> {
  await transaction.run("UPDATE search_state SET wipe_due = 1");
}

/** Takes the entries of a session after one of them out of the index, and its title; their bodies must still be there. */
export async function forgetEntries(
  transaction: SqlRunner,
  sessionKey: number,
  after: number,
): Promise<void> {
  if (!(await beginForgetting(transaction))) return;
  const rows = await transaction.all(
    "SELECT DISTINCT seq FROM search_document WHERE session_key = ? AND (seq > ? OR seq = 0)",
    [sessionKey, after],
  );
  for (const [seq] of rows) {
    const documents = await (seq === 0
      ? titleDocuments(transaction, sessionKey, await readTitle(transaction, sessionKey))
      : readDocuments(transaction, sessionKey, seq as number));
    await removeIndexed(transaction, sessionKey, seq as number, documents);
  }
  await transaction.run("UPDATE search_progress SET title = NULL WHERE session_key = ?", [sessionKey]);
  if (rows.length > 0) await needRewrite(transaction);
}
