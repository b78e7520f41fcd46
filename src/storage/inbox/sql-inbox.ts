import type { Inbox, InboxItem } from "../../sessions/inbox.ts";
import type { Row, SqlDriver, SqlRunner } from "../sql-driver.ts";

/** Returns the inbox of a database. */
export function toInbox(driver: SqlDriver): Inbox {
  return {
    take: async (limit, after = 0) => {
      const columns = "key, received_ms, client, event, session_id, payload";
      const sql = `SELECT ${columns} FROM inbox WHERE key > ? ORDER BY key LIMIT ?`;
      return (await driver.all(sql, [after, limit])).map(fromInboxRow);
    },
    forget: (keys) => driver.transaction((transaction) => forgetItems(transaction, keys)),
  };
}

/** Forgets items; runs inside the caller's transaction. */
export async function forgetItems(runner: SqlRunner, keys: readonly number[]): Promise<void> {
  for (const key of keys) await runner.run("DELETE FROM inbox WHERE key = ?", [key]);
}

function fromInboxRow([key, receivedMs, client, event, session, payload]: Row): InboxItem {
  return {
    key: Number(key),
    receivedAt: new Date(Number(receivedMs)),
    client: String(client),
    event: String(event),
    session: String(session),
    payload: JSON.parse(String(payload)),
  };
}
