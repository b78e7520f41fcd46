import { AppError } from "../../lib/app-error.ts";
import type { Entry } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { HitKind, IndexReport } from "../../sessions/search-index.ts";
import { entryColumns, fromRow } from "../entry-codec.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { searchDialect } from "./choose-dialect.ts";
import { makeChunks } from "./chunks.ts";
import { findKeys } from "./document-key.ts";
import { textsOf } from "./entry-texts.ts";
import { kindMark, partMark, sessionMark } from "./marks.ts";

/** An entry, or the title of a session, on its way into the index. */
export interface Indexed {
  readonly sessionKey: number;
  readonly seq: number;
  readonly atMs: number;
  readonly tools: string | null;
  /** The terms of its documents; undefined where it cannot be indexed. */
  readonly chunks: readonly (readonly string[])[] | undefined;
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

/** Returns the terms of the documents that are made of texts; a function of these alone, because they are needed to take them out. */
export function toDocuments(
  sessionKey: number,
  kind: HitKind,
  texts: readonly string[],
): readonly (readonly string[])[] {
  const chunks = makeChunks(texts);
  const marks = [kindMark(kind), sessionMark(sessionKey), ...(chunks.length > 1 ? [partMark] : [])];
  // No phrase has a mark, so that they may follow the text at once.
  return chunks.map((terms) => [...terms, ...marks]);
}

/** Puts entries into the index. */
export async function insertIndexed(transaction: SqlRunner, entries: readonly Indexed[]): Promise<void> {
  const { insert } = searchDialect(transaction);
  // FTS5 writes out all that it has gathered when a key is less than the one before.
  for (const { atMs, chunks, ...entry } of entries.toSorted(compare)) {
    if (chunks?.length === 0) continue;
    const key = await findKeys(transaction, atMs, chunks?.length ?? 1);
    if (chunks === undefined) await insert(transaction, { ...entry, key, part: leftOutPart, terms: [] });
    for (const [part, terms] of chunks?.entries() ?? [])
      await insert(transaction, { ...entry, key: key + part, part, terms });
  }
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
  documents: readonly (readonly string[])[],
): Promise<boolean> {
  const { remove } = searchDialect(transaction);
  const rows = await transaction.all(
    "SELECT key, part FROM search_document WHERE session_key = ? AND seq = ? ORDER BY part",
    [sessionKey, seq],
  );
  for (const [key, part] of rows)
    await remove(transaction, { key: key as number, terms: documents[part as number] ?? [] });
  return rows.length > 0;
}

/** Returns the documents of an entry as its body says; none where it cannot be read. */
export async function readDocuments(
  runner: SqlRunner,
  sessionKey: number,
  seq: number,
): Promise<readonly (readonly string[])[]> {
  const rows = await runner.all(
    `SELECT ${entryColumns} FROM entry e LEFT JOIN body b ON b.key = e.body_key
     WHERE e.session_key = ? AND e.seq = ?`,
    [sessionKey, seq],
  );
  const entry = rows[0] === undefined ? undefined : fromRow("" as SessionId, rows[0]);
  return (entry && unlessBad(() => documentsOf(sessionKey, entry))) ?? [];
}

/** Returns the documents of an entry; none where it has no text. */
export function documentsOf(sessionKey: number, entry: Entry): readonly (readonly string[])[] {
  const found = textsOf(entry);
  return found === undefined ? [] : toDocuments(sessionKey, found.kind, found.texts);
}
