import { AppError } from "../../lib/app-error.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { IndexReport } from "../../sessions/search-index.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { allotKeys } from "./document-key.ts";
import type { EntryTexts, Voice } from "./entry-texts.ts";
import { kindMark, sessionMark } from "./marks.ts";
import type { EntryPlace } from "./read-behind.ts";
import { scanTexts } from "./scan-texts.ts";
import type { Condition } from "./search-dialect.ts";

/** What the index keeps of one entry, or of the title of a session. */
export interface Documents {
  readonly voice: Voice;
  /** How many characters the entry has. */
  readonly length: number;
  /** The terms of each document, as the engine takes them. */
  readonly parts: readonly string[];
}

/** An entry, or the title of a session, on its way into the index. */
export interface Indexed extends EntryPlace {
  readonly atMs: number;
  readonly tools: string | null;
  /** Undefined where it cannot be indexed. */
  readonly documents: Documents | undefined;
}

/** The part of a document without terms, which stands for an entry that cannot be indexed. */
const leftOutPart = -1;

/** Returns what can be made of an entry; undefined for one that nothing can be made of, whatever is wrong with it. */
export function unlessBad<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof AppError) throw error;
    return undefined;
  }
}

const noDocuments: Documents = { voice: "other", parts: [], length: 0 };

/** Returns the documents that are made of texts. */
export function toDocuments(
  { dialect }: Pick<SqlRunner, "dialect">,
  sessionKey: number,
  { kind, voice, texts }: Pick<EntryTexts, "kind" | "voice" | "texts">,
): Documents {
  const scanned = scanTexts(texts);
  if (scanned.length === 0) return noDocuments;
  const marks = [kindMark(kind), sessionMark(sessionKey)];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return { voice, parts: searchDialect({ dialect }).divide(scanned, marks), length };
}

/** Puts entries into the index. */
export async function insertIndexed(transaction: SqlRunner, entries: readonly Indexed[]): Promise<void> {
  // FTS5 writes out all that it has gathered when a key is less than the one before.
  const found = entries.filter(({ documents }) => documents?.parts.length !== 0).toSorted(compare);
  const wanted = found.map(({ atMs, documents }) => ({ atMs, count: documents?.parts.length ?? 1 }));
  const keys = await allotKeys(transaction, wanted);
  const rows = found.flatMap(({ sessionKey, seq, tools, documents }, index) => {
    const { voice: kind, length, parts } = documents ?? noDocuments;
    const [row, key] = [{ sessionKey, seq, tools, kind, length }, keys[index] ?? 0];
    if (documents === undefined) return [{ ...row, key, part: leftOutPart, terms: "" }];
    return parts.map((terms, part) => ({ ...row, key: key + part, part, terms }));
  });
  await searchDialect(transaction).insert(transaction, rows);
  const lengths = found.flatMap(({ documents }) => documents?.length ?? []);
  const length = lengths.reduce((sum, each) => sum + each, 0);
  await countEntries(transaction, lengths.length, length);
}

/** Keeps how many entries the index has, and how long they are together. */
async function countEntries(transaction: SqlRunner, count: number, length: number): Promise<void> {
  const sql = "UPDATE search_state SET documents = documents + ?, length = length + ?";
  await transaction.run(sql, [count, length]);
}

/** The counts by which hits are ranked. */
export interface IndexSize {
  readonly documents: number;
  /** How many characters an entry has on average. */
  readonly length: number;
}

export async function readSize(runners: readonly SqlRunner[]): Promise<IndexSize> {
  let [documents, length] = [0, 0];
  for (const runner of runners) {
    const rows = await runner.all("SELECT documents, length FROM search_state");
    documents += Number(rows[0]?.[0] ?? 0);
    length += Number(rows[0]?.[1] ?? 0);
  }
  return { documents, length: length / Math.max(1, documents) };
}

/** Counts the documents that can be found, and lists entries that cannot. */
export async function describeDocuments(
  runner: SqlRunner,
): Promise<Pick<IndexReport, "documents" | "leftOut">> {
  const documents = await runner.all("SELECT count(*) FROM search_document WHERE part <> ?", [leftOutPart]);
  const leftOut = await runner.all(
    `SELECT s.id, d.seq FROM search_document d JOIN session s ON s.key = d.session_key
     WHERE d.part = ? ORDER BY d.key LIMIT 100`,
    [leftOutPart],
  );
  return {
    documents: Number(documents[0]?.[0] ?? 0),
    leftOut: leftOut.map(([session, seq]) => ({ session: session as SessionId, seq: seq as number })),
  };
}

function compare(one: Indexed, other: Indexed): number {
  return one.atMs - other.atMs || one.sessionKey - other.sessionKey || one.seq - other.seq;
}

/** Takes documents out of the index. */
export async function removeDocuments(transaction: SqlRunner, documents: Condition): Promise<void> {
  const { sql, params } = documents;
  const removed = await transaction.all(
    `SELECT count(*), coalesce(sum(length), 0) FROM search_document WHERE part = 0 AND ${sql}`,
    params,
  );
  const [count, length] = removed[0] ?? [];
  await countEntries(transaction, -Number(count), -Number(length));
  await searchDialect(transaction).forgetTerms(transaction, documents);
  await transaction.run(`DELETE FROM search_document WHERE ${sql}`, params);
}
