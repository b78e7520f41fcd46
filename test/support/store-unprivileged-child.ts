/**
 * Looks at the store of the home folder in its argument as an ordinary user, and prints what happens as JSON.
 *
 * It tries to read all sessions, then to append one; each is answered by a number of entries or the code of the error.
 * Root may write anywhere, so root becomes nobody, after everything is loaded.
 */
import { parseEntryId, parseSessionId } from "../../src/conversation/ids.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { openStore, openStoreForReading, type Store } from "../../src/storage/open-store.ts";

const [home = ""] = process.argv.slice(2);
const at = new Date("2026-11-15T12:00:00.000Z");

async function answer(
  opening: Promise<Store>,
  work: (store: Store) => Promise<number>,
): Promise<number | string> {
  try {
    const store = await opening;
    return await work(store).finally(() => store[Symbol.asyncDispose]());
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
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

if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
const read = await answer(openStoreForReading(home), countEntries);
const appended = await answer(openStore(home), append);
process.stdout.write(`${JSON.stringify({ read, appended })}\n`);
