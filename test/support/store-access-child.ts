/**
 * Looks at the store of a home folder, and prints what it could do as JSON.
 *
 * It tries to read all sessions, to append an entry, and to make a backup; each is answered by a number (of entries, of
 * new entries, of sessions) or the code of the error. Arguments: the home folder, the file for the backup, and
 * "as-nobody" when it is to be done without the rights of root, which may write anywhere.
 */

import { AppError } from "../../src/lib/app-error.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { backupStore } from "../../src/storage/maintenance.ts";
import { openStore, openStoreForReading, type Store } from "../../src/storage/open-store.ts";

const [home = "", backup = "", who = ""] = process.argv.slice(2);
const at = new Date("2026-11-15T12:00:00.000Z");

async function answer(work: () => Promise<number>): Promise<number | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function using(store: Store, work: (store: Store) => Promise<number>): Promise<number> {
  return work(store).finally(() => store[Symbol.asyncDispose]());
}

async function countEntries({ log }: Store): Promise<number> {
  const { sessions } = await log.list();
  const entries = await Promise.all(sessions.map(({ id }) => Array.fromAsync(log.read(id))));
  return entries.flat().length;
}

async function append({ log }: Store): Promise<number> {
  const entry = { kind: "event", event: "started", data: {}, id: parseEntryId("new"), at } as const;
  return (await log.append(parseSessionId("one"), [entry])).length;
}

// Not before everything is loaded: nobody may not be able to read the scripts.
if (who === "as-nobody" && process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
const read = await answer(async () => using(await openStoreForReading(home), countEntries));
const appended = await answer(async () => using(await openStore(home), append));
const backedUp = await answer(async () => (await backupStore(home, backup, { overwrite: true })).sessions);
process.stdout.write(`${JSON.stringify({ read, appended, backedUp })}\n`);
