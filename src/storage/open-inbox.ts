import type { Inbox } from "../sessions/inbox.ts";
import { toInbox } from "./inbox/sql-inbox.ts";
import { migrate } from "./migrate.ts";
import { insertItem, type NewInboxItem, toInboxRow } from "./new-inbox-item.ts";
import { locateStore } from "./open-store.ts";
import type { SqlDriver } from "./sql-driver.ts";
import { prepareStore } from "./sqlite/prepare-store.ts";
import { openWatched } from "./sqlite/sqlite-driver.ts";

/** An inbox that can also be given items. */
export interface OpenInbox extends Inbox, AsyncDisposable {
  /** Adds items unless they are there already, in one transaction. */
  put(items: readonly NewInboxItem[]): Promise<void>;
}

/**
 * Opens the inbox of a home folder, and makes the database where there is none.
 *
 * It is always in the file there, also when the store is on a server: hooks do not wait for a network.
 */
export async function openInbox(home: string): Promise<OpenInbox> {
  const path = locateStore(home);
  await prepareStore(path);
  const driver = await openWatched(path);
  try {
    await migrate(driver, path);
    return toOpenInbox(driver);
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
}

function toOpenInbox(driver: SqlDriver): OpenInbox {
  return {
    ...toInbox(driver),
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
