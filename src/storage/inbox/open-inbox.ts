import type { Inbox, InboxItem } from "../../conversation/inbox.ts";
import { migrate } from "../migrate.ts";
import { locateStore } from "../open-store.ts";
import type { Row, SqlDriver } from "../sql-driver.ts";
import { openForWriting } from "../sqlite/open-connection.ts";
import { prepareFolder } from "../sqlite/prepare-folder.ts";
import { SqliteDriver } from "../sqlite/sqlite-driver.ts";
import { insertItem, type NewInboxItem, toInboxRow } from "./new-inbox-item.ts";

/** An inbox that can also be given items. */
export interface OpenInbox extends Inbox {
  /** Adds items unless they are there already, in one transaction. */
  put(items: readonly NewInboxItem[]): Promise<void>;
}

const busyDeadlineMs = 30_000;

/**
 * Opens the inbox of a home folder, and makes the database where there is none.
 *
 * It is always in the file there, also when the store is on a server: hooks do not wait for a network.
 */
export async function openInbox(home: string): Promise<OpenInbox> {
  const path = locateStore(home);
  await prepareFolder(path);
  const driver = new SqliteDriver(await openForWriting(path), { path, busyDeadlineMs });
  try {
    await migrate(driver, path);
    return toInbox(driver);
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
}

function toInbox(driver: SqlDriver): OpenInbox {
  return {
    take: async (limit) => {
      const columns = "key, received_ms, client, event, session_id, payload";
      const rows = await driver.all(`SELECT ${columns} FROM inbox ORDER BY key LIMIT ?`, [limit]);
      return rows.map(fromInboxRow);
    },
    done: async (upTo) => void (await driver.run("DELETE FROM inbox WHERE key <= ?", [upTo])),
    put: (items) =>
      driver.transaction(async (transaction) => {
        for (const item of items) {
          const row = toInboxRow(item);
          const same = await transaction.all(
            "SELECT 1 FROM inbox WHERE received_ms = ? AND client = ? AND event = ? AND session_id = ? AND payload = ?",
            row,
          );
          if (same.length === 0) await transaction.run(insertItem, row);
        }
      }),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
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
