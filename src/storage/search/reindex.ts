import type { Entry } from "../../sessions/entry.ts";
import { decodeContent } from "../entry-codec.ts";
import type { SqlDriver, SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { beginForgetting, needRewrite } from "./forget.ts";
import {
  documentsOf,
  insertIndexed,
  noDocuments,
  removeIndexed,
  titleDocuments,
  unlessBad,
} from "./index-entries.ts";
import { readEntry, readState } from "./read-behind.ts";

/** An entry whose body is another one now. */
interface Changed {
  readonly sessionKey: number;
  readonly seq: number;
  readonly kind: string;
  readonly before: string;
}

/** Replaces in the index what entries said by what they say now. */
export async function reindexChanged(transaction: SqlRunner, changed: readonly Changed[]): Promise<void> {
  if (!(await beginForgetting(transaction))) return;
  for (const each of changed) await reindexEntry(transaction, each);
  await needRewrite(transaction);
}

async function reindexEntry(
  transaction: SqlRunner,
  { sessionKey, seq, kind, before }: Changed,
): Promise<void> {
  const entry = await readEntry(transaction, sessionKey, seq);
  if (entry === undefined) return;
  const { id, session, parent, strand, at } = entry;
  const old = { ...decodeContent(kind, before), id, session, seq, parent, strand, at } as Entry;
  const [known] = await transaction.all(
    "SELECT tools FROM search_document WHERE session_key = ? AND seq = ? AND part = 0",
    [sessionKey, seq],
  );
  const toDocuments = (each: Entry) => unlessBad(() => documentsOf(transaction, sessionKey, each));
  if (!(await removeIndexed(transaction, sessionKey, seq, toDocuments(old) ?? noDocuments))) return;
  const tools = (known?.[0] ?? null) as string | null;
  const documents = toDocuments(entry);
  await insertIndexed(transaction, [{ sessionKey, seq, atMs: at.getTime(), tools, documents }]);
}

/** Passes the titles and the names of tools that the index keeps through a scrub; tells whether that changed something. */
export async function scrubIndex(driver: SqlDriver, scrub: (text: string) => string): Promise<boolean> {
  const titles = await driver.all("SELECT session_key, title FROM search_progress WHERE title IS NOT NULL");
  const tools = await driver.all("SELECT DISTINCT tools FROM search_document WHERE tools IS NOT NULL");
  const isFound = ([text]: readonly unknown[]) => scrub(String(text)) !== text;
  const found = titles.filter(([, title]) => isFound([title]));
  const named = tools.filter(isFound);
  if (found.length + named.length === 0) return false;
  await driver.transaction(async (transaction) => {
    if (!(await beginForgetting(transaction))) return;
    await transaction.run("INSERT INTO wipe_due VALUES (1) ON CONFLICT DO NOTHING");
    for (const [sessionKey, title] of found)
      await retitle(transaction, sessionKey as number, String(title), scrub(String(title)));
    for (const [name = null] of named)
      await transaction.run("UPDATE search_document SET tools = ? WHERE tools = ?", [
        scrub(String(name)),
        name,
      ]);
    await needRewrite(transaction);
  });
  return true;
}

async function retitle(
  transaction: SqlRunner,
  sessionKey: number,
  before: string,
  after: string,
): Promise<void> {
  const rows = await transaction.all("SELECT started_ms FROM session WHERE key = ?", [sessionKey]);
  await removeIndexed(transaction, sessionKey, 0, titleDocuments(transaction, sessionKey, before));
  const documents = titleDocuments(transaction, sessionKey, after);
  const atMs = Number(rows[0]?.[0] ?? 0);
  await insertIndexed(transaction, [{ sessionKey, seq: 0, atMs, tools: null, documents }]);
  await transaction.run("UPDATE search_progress SET title = ? WHERE session_key = ?", [after, sessionKey]);
}

/** Rewrites the index if it still holds words of what was taken out of it. */
export async function rewriteIfDue(driver: SqlDriver): Promise<void> {
  if (!(await readState(driver)).isWipeDue) return;
  await driver.transaction(async (transaction) => {
    const dialect = searchDialect(transaction);
    await dialect.lock(transaction);
    await dialect.rewrite(transaction);
    await transaction.run("UPDATE search_state SET wipe_due = 0");
  });
}
