import type { SessionId } from "../../conversation/ids.ts";
import type { HitKind } from "../../conversation/search-index.ts";
import { entryColumns, fromRow } from "../entry-codec.ts";
import type { Row, SqlRunner } from "../sql-driver.ts";
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
  /** The terms of its documents. */
  readonly chunks: readonly (readonly string[])[];
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
    if (chunks.length === 0) continue;
    const key = await findKeys(transaction, atMs, chunks.length);
    for (const [part, terms] of chunks.entries())
      await insert(transaction, { ...entry, key: key + part, part, terms });
  }
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
  const found = rows[0] === undefined ? undefined : textsOfRow(rows[0]);
  return found === undefined ? [] : toDocuments(sessionKey, found.kind, found.texts);
}

function textsOfRow(row: Row) {
  const entry = fromRow("" as SessionId, row);
  return entry === undefined ? undefined : textsOf(entry);
}
