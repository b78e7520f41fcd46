import { AppError } from "../../lib/app-error.ts";
import type { Entry } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { IndexReport } from "../../sessions/search-index.ts";
import { entryColumns, fromRow } from "../entry-codec.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { countWords } from "./count-words.ts";
import { findKeys } from "./document-key.ts";
import { type EntryTexts, textsOf, type Voice } from "./entry-texts.ts";
import { kindMark, sessionMark } from "./marks.ts";
import { type ScannedTexts, scanTexts } from "./scan-texts.ts";

/** What the index keeps of one entry, or of the title of a session. */
export interface Documents extends Pick<ScannedTexts, "words" | "length"> {
  readonly voice: Voice;
  /** The terms of each document, as the engine takes them. */
  readonly parts: readonly string[];
}

/** An entry, or the title of a session, on its way into the index. */
export interface Indexed {
  readonly sessionKey: number;
  readonly seq: number;
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

export const noDocuments: Documents = { voice: "other", parts: [], words: [], length: 0 };

/** Returns the documents that are made of texts; a function of these alone, because they are needed to take them out. */
export function toDocuments(
  { dialect }: Pick<SqlRunner, "dialect">,
  sessionKey: number,
  { kind, voice, texts }: Pick<EntryTexts, "kind" | "voice" | "texts">,
): Documents {
  const scanned = scanTexts(texts);
  if (scanned.length === 0) return noDocuments;
  const marks = [kindMark(kind), sessionMark(sessionKey)];
  const parts = searchDialect({ dialect }).divide(texts, scanned, marks);
  return { voice, parts, words: scanned.words, length: scanned.length };
}

/** Returns the documents of the title that a session began with. */
export function titleDocuments(
  runner: Pick<SqlRunner, "dialect">,
  sessionKey: number,
  title: string,
): Documents {
  return toDocuments(runner, sessionKey, { kind: "title", voice: "title", texts: [title] });
}

/** Puts entries into the index. */
export async function insertIndexed(transaction: SqlRunner, entries: readonly Indexed[]): Promise<void> {
  const { insert } = searchDialect(transaction);
  // FTS5 writes out all that it has gathered when a key is less than the one before.
  for (const { atMs, documents, ...entry } of entries.toSorted(compare)) {
    if (documents?.parts.length === 0) continue;
    const key = await findKeys(transaction, atMs, documents?.parts.length ?? 1);
    const { voice: kind, length } = documents ?? noDocuments;
    const row = { ...entry, kind, length };
    if (documents === undefined) await insert(transaction, { ...row, key, part: leftOutPart, terms: "" });
    for (const [part, terms] of documents?.parts.entries() ?? [])
      await insert(transaction, { ...row, key: key + part, part, terms });
  }
  await countWords(
    transaction,
    entries.map(({ documents }) => documents ?? noDocuments),
    1,
  );
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

/** Takes what the index has of an entry out of it; `documents` must be those that were put in. */
export async function removeIndexed(
  transaction: SqlRunner,
  sessionKey: number,
  seq: number,
  documents: Documents,
): Promise<boolean> {
  const { remove } = searchDialect(transaction);
  const rows = await transaction.all(
    "SELECT key, part FROM search_document WHERE session_key = ? AND seq = ? ORDER BY part",
    [sessionKey, seq],
  );
  for (const [key, part] of rows)
    await remove(transaction, { key: key as number, terms: documents.parts[part as number] ?? "" });
  if (rows.some(([, part]) => part !== leftOutPart)) await countWords(transaction, [documents], -1);
  return rows.length > 0;
}

/** Returns the documents of an entry as its body says; none where it cannot be read. */
export async function readDocuments(runner: SqlRunner, sessionKey: number, seq: number): Promise<Documents> {
  const rows = await runner.all(
    `SELECT ${entryColumns} FROM entry e LEFT JOIN body b ON b.key = e.body_key
     WHERE e.session_key = ? AND e.seq = ?`,
    [sessionKey, seq],
  );
  const entry = rows[0] === undefined ? undefined : fromRow("" as SessionId, rows[0]);
  return (entry && unlessBad(() => documentsOf(runner, sessionKey, entry))) ?? noDocuments;
}

/** Returns the documents of an entry; none where it has no text. */
export function documentsOf(runner: Pick<SqlRunner, "dialect">, sessionKey: number, entry: Entry): Documents {
  const found = textsOf(entry);
  return found === undefined ? noDocuments : toDocuments(runner, sessionKey, found);
}
