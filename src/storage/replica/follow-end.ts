import type { StoredSession } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";

/** Remembers that a session was described or scrubbed only: its last work, by which it is named, is of the machine that it was of. */
export async function followEnd(
  runner: SqlRunner,
  { key, session }: StoredSession,
  seq: number,
): Promise<void> {
  await runner.run("UPDATE replica SET seq = ? WHERE session_key = ? AND seq >= ?", [
    seq,
    key,
    session.entries,
  ]);
}
