import { fromSessionRow, type StoredSession, sessionColumns, sessionTables } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";

const batchSize = 200;

/** Streams all sessions that are not deleted, in the order in which they were made. */
export async function* readSessions(runner: SqlRunner): AsyncGenerator<StoredSession> {
  let after = -1;
  for (;;) {
    const rows = await runner.all(
      `SELECT ${sessionColumns(runner.dialect)} FROM ${sessionTables} WHERE s.key > ? AND h.deleted_ms IS NULL
       ORDER BY s.key LIMIT ${batchSize}`,
      [after],
    );
    const batch = rows.map(fromSessionRow);
    yield* batch;
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}
