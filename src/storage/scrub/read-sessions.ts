import type { SessionId } from "../../sessions/ids.ts";
import { fromSessionRow, type StoredSession, sessionColumns, sessionTables } from "../session-row.ts";
import type { Row, SqlRunner } from "../sql-driver.ts";
import { SessionIsDamaged } from "../store-errors.ts";

const batchSize = 200;

/** A session, or only its id where its record is damaged. */
export type FoundRecord = StoredSession | { readonly damaged: SessionId };

/** Streams all sessions that are not deleted, in the order in which they were made. */
export async function* readSessions(runner: SqlRunner): AsyncGenerator<FoundRecord> {
  let after = -1;
  for (;;) {
    const rows = await runner.all(
      `SELECT ${sessionColumns(runner.dialect)} FROM ${sessionTables} WHERE s.key > ? AND h.deleted_ms IS NULL
       ORDER BY s.key LIMIT ${batchSize}`,
      [after],
    );
    yield* rows.map(fromRow);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last[0] as number;
  }
}

function fromRow(row: Row): FoundRecord {
  try {
    return fromSessionRow(row);
  } catch (error) {
    if (error instanceof SessionIsDamaged) return { damaged: String(row[1]) as SessionId };
    throw error;
  }
}
