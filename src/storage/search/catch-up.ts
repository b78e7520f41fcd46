import { AppError } from "../../lib/app-error.ts";
import type { SqlDriver, SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { type Indexed, insertIndexed, removeDocuments } from "./index-entries.ts";
import { type Batch, prepareBatch } from "./prepare-batch.ts";
import { countBehind, readBehind, readState } from "./read-behind.ts";
import { termsVersion } from "./terms.ts";
import { ToolNames } from "./tool-names.ts";

/** Sessions that are looked at for one batch. */
const mostSessions = 256;
/** After so many entries the engine has to count anew. */
const many = 1000;

/** What is brought to where a log is. */
interface Following {
  readonly driver: SqlDriver;
  /** Has the entries. */
  readonly log: SqlRunner;
  readonly onBatch?: (batch: Batch) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Brings an index to where the log is, batch by batch, each a short transaction; returns how many entries that were.
 *
 * Another process may do the same: a batch counts only if nothing has changed since it was read.
 */
export async function catchUp({ driver, log, onBatch, onProgress }: Following): Promise<number> {
  if (!(await readState(driver)).isCurrent) await clearIndex(driver);
  const tools = new ToolNames();
  let total: number | undefined;
  for (let done = 0; ; ) {
    const state = await readState(driver);
    const sessions = await readBehind(driver, state, mostSessions);
    if (sessions.length === 0) {
      if (done >= many) await searchDialect(driver).settle(driver);
      return done;
    }
    total ??= await countBehind(driver, state);
    const prepared = await prepareBatch({ log, dialect: driver.dialect }, sessions, tools);
    const batch = log === driver ? prepared : { ...prepared, indexed: prepared.indexed.map(besideOthers) };
    if (await storeFitting(driver, state.revision, batch)) done += batch.entries;
    onBatch?.(batch);
    onProgress?.(done, Math.max(total, done));
  }
}

/** The keys that a moment has in the index of the log are taken: another index begins in the middle of them. */
function besideOthers(entry: Indexed): Indexed {
  return { ...entry, atMs: entry.atMs + 0.5 };
}

/** Adds a batch without the entries that the engine does not take, whatever its reason; tells whether it still counted. */
async function storeFitting(driver: SqlDriver, revision: number, batch: Batch): Promise<boolean> {
  // Nothing is lost at a power cut that could not be made again.
  const add = (each: Batch) =>
    driver.transaction((transaction) => store(transaction, revision, each), "at-flush");
  try {
    return await add(batch);
  } catch (error) {
    // Such an error says what is wrong with the store, any other that a statement was refused.
    if (error instanceof AppError) throw error;
    const indexed: Indexed[] = [];
    for (const each of batch.indexed)
      indexed.push((await isTaken(driver, each)) ? each : { ...each, tools: null, documents: undefined });
    if (indexed.every(({ documents }) => documents !== undefined)) throw error;
    return add({ ...batch, indexed });
  }
}

/** Tries to add an entry alone, and leaves the index as it was. */
async function isTaken(driver: SqlDriver, entry: Indexed): Promise<boolean> {
  const undone = new Error("Only a trial.");
  try {
    return await driver.transaction(async (transaction) => {
      await insertIndexed(transaction, [entry]);
      throw undone;
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    return error === undone;
  }
}

/** Adds a batch, unless something was taken out of the index meanwhile, or another process was faster. */
async function store(transaction: SqlRunner, revision: number, batch: Batch): Promise<boolean> {
  await searchDialect(transaction).lock(transaction);
  const state = await readState(transaction);
  if (!state.isCurrent || state.revision !== revision) return false;
  for (const { sessionKey, from } of batch.steps) {
    const rows = await transaction.all("SELECT up_to FROM search_progress WHERE session_key = ?", [
      sessionKey,
    ]);
    if ((rows[0]?.[0] ?? null) !== from) return false;
  }
  await insertIndexed(transaction, batch.indexed);
  // Afterwards, because one of these may be in the same batch.
  for (const { sessionKey, seq } of batch.over)
    await removeDocuments(transaction, { sql: "session_key = ? AND seq = ?", params: [sessionKey, seq] });
  for (const { sessionKey, upTo, title } of batch.steps) {
    await transaction.run(
      `INSERT INTO search_progress VALUES (?, ?, ?) ON CONFLICT (session_key) DO UPDATE SET up_to = excluded.up_to`,
      [sessionKey, upTo, title],
    );
  }
  return true;
}

/** Begins an index anew, by the rules of today. */
export function clearIndex(driver: SqlDriver): Promise<void> {
  return driver.transaction(async (transaction) => {
    await forgetIndex(transaction);
    await transaction.run("UPDATE search_state SET version = ?", [termsVersion]);
  });
}

/** Forgets everything that is indexed; whoever searches next makes the index anew. */
export async function forgetIndex(transaction: SqlRunner): Promise<void> {
  const dialect = searchDialect(transaction);
  await dialect.lock(transaction);
  await dialect.clear(transaction);
  await transaction.run("DELETE FROM search_progress");
  await transaction.run(
    "UPDATE search_state SET version = 0, revision = revision + 1, documents = 0, length = 0",
  );
}
