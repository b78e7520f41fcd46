/**
 * Compares a store with the receipts of its writers, and prints how many receipts there are, how many are lost, 1 or 0
 * for a store that is not whole, and what is wrong.
 *
 * Arguments: the home folder, and a folder with what each writer printed in a file that is named after the session and
 * the beginning of the ids, with a dot between them.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSessionId } from "../../src/conversation/ids.ts";
import { openStoreForReading } from "../../src/storage/open-store.ts";
import { locateKey, readKey } from "../../src/storage/store-key.ts";
import { collect } from "./entries.ts";
import { expectReceipts, type Written } from "./store-writers.ts";

const [home = "", folder = ""] = process.argv.slice(2);

async function readWritten(name: string): Promise<Written> {
  const [session = "", prefix = ""] = name.split(".");
  const lines = (await readFile(join(folder, name), "utf8")).trimEnd().split("\n");
  return { session, prefix, receipts: lines.filter((line) => line !== "") };
}

/** Returns what of the receipts of a session is not in the store. */
async function findLost(session: string, receipts: readonly string[]): Promise<readonly string[]> {
  try {
    await using store = await openStoreForReading(home);
    const entries = await collect(store.log.read(parseSessionId(session)));
    const stored = new Set(entries.map((entry) => `${entry.seq} ${entry.id}`));
    return receipts.filter((receipt) => !stored.has(receipt));
  } catch {
    // A session or a store that cannot be read has lost everything.
    return receipts;
  }
}

async function findProblem(writers: readonly Written[]): Promise<string | undefined> {
  try {
    // Before the store is opened for writing, which would make another.
    if (writers.length > 0 && (await readKey(locateKey(home))) === undefined) return "The key is gone.";
    await expectReceipts(home, writers);
    return undefined;
  } catch (error) {
    return String(error).split("\n", 1)[0];
  }
}

const written = await Promise.all((await readdir(folder)).map(readWritten));
const writers = written.filter(({ receipts }) => receipts.length > 0);
const bySession = Map.groupBy(writers, ({ session }) => session);
const lost: string[] = [];
for (const [session, group] of bySession) {
  lost.push(
    ...(await findLost(
      session,
      group.flatMap(({ receipts }) => receipts),
    )),
  );
}
const problem = await findProblem(writers);
const count = writers.reduce((sum, { receipts }) => sum + receipts.length, 0);
process.stdout.write(`${count} ${lost.length} ${problem === undefined ? 0 : 1} ${problem ?? ""}\n`);
