import { chainStart } from "../sessions/chain.ts";
import type { Receipt } from "../sessions/conversation-log.ts";
import type { EntryContent, NewEntry } from "../sessions/entry.ts";
import { type EntryId, mainStrand, type SessionId, type Strand } from "../sessions/ids.ts";
import { linkEntry, type SessionFacts } from "../sessions/session-facts.ts";
import type { AppendRight } from "./append-right.ts";
import { encodeBody, encodeContent, toBytes, toMs } from "./entry-codec.ts";
import type { Guard } from "./guard.ts";
import { foldTitle, toTagColumns } from "./session-row.ts";
import type { Statement } from "./sql-driver.ts";

/** The end of a session: everything that the next entry depends on. */
export interface SessionEnd {
  readonly session: SessionId;
  readonly key: number;
  readonly projectKey: number;
  readonly seq: number;
  readonly hash: string;
  readonly leaf: EntryId | null;
  readonly leafStrand: Strand | null;
  readonly facts: SessionFacts;
}

/** An entry that is ready to be written, and the end of the session after it. */
export interface ReadyEntry {
  readonly id: EntryId;
  readonly parent: EntryId | null;
  readonly strand: Strand;
  readonly kind: string;
  readonly atMs: number;
  readonly body: string;
  readonly bodyHash: string;
  /** The key of its body, unless an equal one is stored already. */
  readonly bodyKey: number;
  readonly print: Uint8Array;
  readonly end: SessionEnd;
}

/** What an append does if the session still ends where it did. */
export interface AppendPlan {
  readonly statements: readonly Statement[];
  readonly receipts: readonly Receipt[];
  readonly end: SessionEnd;
}

/**
 * Plans a batch that goes on where the session ends, or returns undefined when that cannot be told without reading.
 *
 * Each statement changes one row if the end still holds and all the entries and bodies are new.
 */
export function planAppend(
  guard: Guard,
  from: SessionEnd,
  entries: readonly NewEntry[],
  right: AppendRight,
): AppendPlan | undefined {
  let end = from;
  const statements: Statement[] = [];
  const receipts: Receipt[] = [];
  for (const entry of entries) {
    const { strand = mainStrand } = entry;
    const { leaf } = end;
    if (strand !== end.leafStrand || (entry.parent ?? leaf) !== leaf || entry.parent === null)
      return undefined;
    const ready = makeReady(guard, end, entry, leaf);
    statements.push(insertBody(ready), insertEntry(ready, ready.bodyKey));
    end = ready.end;
    receipts.push({ seq: end.seq, id: ready.id, isNew: true });
  }
  if (entries.length === 0 || !isSameDescription(from.facts, end.facts)) return undefined;
  // The end comes first: every writer of a session locks it before anything else, so that none waits for another in a ring.
  return { statements: [moveEnd(from, end, right), ...statements], receipts, end };
}

export function isSameDescription(one: SessionFacts, other: SessionFacts): boolean {
  return one.title === other.title && one.tags === other.tags && one.opening === other.opening;
}

/** More than any session has entries: keeps the keys of the bodies of different sessions apart. */
export const maxEntries = 2 ** 28;

/** Computes everything that is stored of an entry; `content` is what it may say. */
export function makeReady(
  guard: Guard,
  end: SessionEnd,
  entry: NewEntry,
  parent: EntryId | null,
  content: EntryContent = guard.redact(entry),
): ReadyEntry {
  const asGiven = encodeContent(entry);
  const { kind, body } = content === entry ? asGiven : encodeContent(content);
  const atMs = toMs(entry.at);
  const encoded = { parent, kind, atMs, content, body, given: asGiven.body };
  const { id, strand, bodyHash, givenHash, hash, facts } = linkEntry(end, entry, encoded);
  const { session, key, projectKey } = end;
  const seq = end.seq + 1;
  return {
    ...{ id, parent, strand, kind, atMs, body, bodyHash },
    bodyKey: key * maxEntries + seq,
    print: guard.fingerprint(asGiven.kind, strand, givenHash),
    end: { session, key, projectKey, seq, hash, leaf: id, leafStrand: strand, facts },
  };
}

/** Stores a body under its own key, or changes nothing when the project has an equal one. */
export function insertBody({ body, bodyHash, bodyKey, end }: ReadyEntry): Statement {
  const [json, zstd] = encodeBody(body);
  return {
    sql: `INSERT INTO body (key, project_key, hash, refs, json, zstd) VALUES (?, ?, ?, 1, ?, ?)
          ON CONFLICT DO NOTHING`,
    params: [bodyKey, end.projectKey, toBytes(bodyHash), json, zstd],
  };
}

/** Stores an entry, or changes nothing when its place or its id is taken. */
export function insertEntry(ready: ReadyEntry, bodyKey: number): Statement {
  const { id, parent, strand, kind, atMs, print, end } = ready;
  const { key, seq, hash, facts } = end;
  return {
    sql: "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    params: [key, seq, id, parent, strand, kind, atMs, bodyKey, facts.messages, toBytes(hash), print],
  };
}

/** Moves the end of a session, or changes nothing when it is not where it was thought to be or the right is gone. */
export function moveEnd(from: SessionEnd, to: SessionEnd, right: AppendRight): Statement {
  const { updatedMs, messages, status } = to.facts;
  const { atMs, by } = status.stamp;
  const hashBefore = from.hash === chainStart ? null : toBytes(from.hash);
  return {
    sql: `UPDATE session_head SET updated_ms = ?, status = ?, status_ms = ?, status_by = ?,
            head_seq = ?, head_hash = ?, messages = ?, leaf = ?, leaf_strand = ?${right.set}
          WHERE session_key = ? AND project_key = ? AND deleted_ms IS NULL
            AND head_seq = ? AND head_hash IS NOT DISTINCT FROM ?${right.where}`,
    params: [
      ...[updatedMs, status.value, atMs, by, to.seq, toBytes(to.hash), messages, to.leaf, to.leafStrand],
      ...right.setParams,
      ...[from.key, from.projectKey, from.seq, hashBefore],
      ...right.whereParams,
    ],
  };
}

/** Keeps the leaf of the strand that was written last, before an entry of another strand takes its place beside the head. */
export function keepLeaf(key: number, strand: Strand | null, leaf: EntryId): Statement {
  return {
    sql: "INSERT INTO strand VALUES (?, ?, ?) ON CONFLICT (session_key, strand) DO UPDATE SET leaf = excluded.leaf",
    params: [key, strand, leaf],
  };
}

/** Writes what describes a session. It changes rarely and stands in a row of its own, so that an append need not rewrite it. */
export function describe(key: number, { title, tags, opening }: SessionFacts): Statement {
  return {
    sql: `UPDATE session SET title = ?, title_ms = ?, title_by = ?, title_folded = ?, opening = ?,
            tags = ?, tag_facts = ? WHERE key = ?`,
    params: [
      ...[title.value, title.stamp.atMs, title.stamp.by, foldTitle(title.value ?? opening ?? ""), opening],
      ...[...toTagColumns(tags), key],
    ],
  };
}
