import type { KeyObject } from "node:crypto";
import { chainHash, chainStart, sha256 } from "../conversation/chain.ts";
import type { Receipt } from "../conversation/conversation-log.ts";
import type { NewEntry } from "../conversation/entry.ts";
import { EntryConflict, EntryNotFound } from "../conversation/errors.ts";
import { type EntryId, mainStrand, parseEntryId, parseStrand, type Strand } from "../conversation/ids.ts";
import { applyEntry, type SessionFacts } from "../conversation/session-facts.ts";
import { type EncodedContent, encodeBody, encodeContent, fingerprint, toBytes } from "./entry-codec.ts";
import { findEntry, type Place, readLineage, type Segment } from "./lineage.ts";
import { foldTitle, type StoredSession } from "./session-row.ts";
import type { SqlRunner } from "./sql-driver.ts";

/** The end of a session while a batch is being appended to it. */
interface Head {
  seq: number;
  hash: string;
  leaf: EntryId | null;
  leafStrand: Strand | null;
  facts: SessionFacts;
}

/** Appends a batch to a session; runs inside the caller's transaction, so that it is all or nothing. */
export async function appendEntries(
  runner: SqlRunner,
  key: KeyObject,
  stored: StoredSession,
  entries: readonly NewEntry[],
): Promise<readonly Receipt[]> {
  const batch = new Batch(runner, key, stored, await readLineage(runner, stored));
  const receipts: Receipt[] = [];
  for (const entry of entries) receipts.push(await batch.append(entry));
  if (receipts.some((receipt) => receipt.isNew)) await batch.saveHead();
  return receipts;
}

class Batch {
  readonly #runner: SqlRunner;
  readonly #key: KeyObject;
  readonly #stored: StoredSession;
  readonly #lineage: readonly Segment[];
  readonly #head: Head;

  constructor(runner: SqlRunner, key: KeyObject, stored: StoredSession, lineage: readonly Segment[]) {
    this.#runner = runner;
    this.#key = key;
    this.#stored = stored;
    this.#lineage = lineage;
    const { leaf, leafStrand, facts, session } = stored;
    this.#head = { seq: session.entries, hash: session.head ?? chainStart, leaf, leafStrand, facts };
  }

  async append(entry: NewEntry): Promise<Receipt> {
    const id = parseEntryId(entry.id);
    const strand = parseStrand(entry.strand ?? mainStrand);
    const encoded = encodeContent(entry);
    const print = fingerprint(this.#key, strand, encoded);
    const place = await findEntry(this.#runner, this.#lineage, id);
    if (place !== undefined) {
      if (await this.#isEqual(place, strand, encoded, print)) return { seq: place.seq, id, isNew: false };
      throw new EntryConflict(this.#stored.session.id, id);
    }
    const parent = await this.#chooseParent(entry, strand);
    await this.#insert({ id, strand, parent, entry, encoded, print });
    return { seq: this.#head.seq, id, isNew: true };
  }

  async saveHead(): Promise<void> {
    const { seq, hash, leaf, leafStrand, facts } = this.#head;
    const { status } = facts;
    await this.#runner.run(
      `UPDATE session_head SET updated_ms = ?, status = ?, status_ms = ?, status_by = ?,
         head_seq = ?, head_hash = ?, messages = ?, leaf = ?, leaf_strand = ? WHERE session_key = ?`,
      [
        ...[facts.updatedMs, status.value, status.stamp.atMs, status.stamp.by],
        ...[seq, toBytes(hash), facts.messages, leaf, leafStrand, this.#stored.key],
      ],
    );
    await this.#saveDescription(facts);
  }

  /** The description changes rarely and stands in a row of its own, so that an append need not rewrite it. */
  async #saveDescription(facts: SessionFacts): Promise<void> {
    const before = this.#stored.facts;
    const { title, tags, opening } = facts;
    if (title === before.title && tags === before.tags && opening === before.opening) return;
    await this.#runner.run(
      `UPDATE session SET title = ?, title_ms = ?, title_by = ?, title_folded = ?, opening = ?,
         tags = ?, tags_ms = ?, tags_by = ? WHERE key = ?`,
      [
        ...[title.value, title.stamp.atMs, title.stamp.by, foldTitle(title.value ?? opening ?? ""), opening],
        ...[JSON.stringify(tags.value), tags.stamp.atMs, tags.stamp.by, this.#stored.key],
      ],
    );
  }

  async #insert(item: {
    readonly id: EntryId;
    readonly strand: Strand;
    readonly parent: EntryId | null;
    readonly entry: NewEntry;
    readonly encoded: EncodedContent;
    readonly print: Uint8Array;
  }): Promise<void> {
    const { id, strand, parent, entry, encoded, print } = item;
    const atMs = entry.at.getTime();
    const bodyHash = sha256(encoded.body);
    const bodyKey = await this.#insertBody(encoded.body, bodyHash);
    const head = this.#head;
    head.seq += 1;
    head.hash = chainHash(head.hash, { id, parent, strand, kind: encoded.kind, atMs, bodyHash });
    head.facts = applyEntry(head.facts, { id, at: entry.at, content: entry });
    head.leaf = id;
    head.leafStrand = strand;
    await this.#runner.run("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [
      ...[this.#stored.key, head.seq, id, parent, strand, encoded.kind, atMs, bodyKey],
      ...[head.facts.messages, toBytes(head.hash), print],
    ]);
  }

  async #insertBody(body: string, bodyHash: string): Promise<number> {
    const [json, zstd] = encodeBody(body);
    const rows = await this.#runner.all(
      `INSERT INTO body (project_key, hash, refs, json, zstd) VALUES (?, ?, 1, ?, ?)
       ON CONFLICT (project_key, hash) DO UPDATE SET refs = body.refs + 1 RETURNING key`,
      [this.#stored.projectKey, toBytes(bodyHash), json, zstd],
    );
    return rows[0]?.[0] as number;
  }

  async #chooseParent(entry: NewEntry, strand: Strand): Promise<EntryId | null> {
    const leaf = await this.#leafOf(strand);
    if (entry.parent === undefined) return leaf;
    if (entry.parent === null || entry.parent === leaf) return entry.parent;
    const place = await findEntry(this.#runner, this.#lineage, entry.parent);
    if (place === undefined) throw new EntryNotFound(this.#stored.session.id, entry.parent);
    return entry.parent;
  }

  /** Returns the newest entry of a strand; the head knows that of the strand written last, the table the others. */
  async #leafOf(strand: Strand): Promise<EntryId | null> {
    const { leaf, leafStrand } = this.#head;
    if (leaf === null || leafStrand === strand) return leaf;
    await this.#runner.run(
      "INSERT INTO strand VALUES (?, ?, ?) ON CONFLICT (session_key, strand) DO UPDATE SET leaf = excluded.leaf",
      [this.#stored.key, leafStrand, leaf],
    );
    const sql = "SELECT leaf FROM strand WHERE session_key = ? AND strand = ?";
    const known = (await this.#runner.all(sql, [this.#stored.key, strand]))[0]?.[0];
    return typeof known === "string" ? (known as EntryId) : this.#sharedLeafOf(strand);
  }

  async #sharedLeafOf(strand: Strand): Promise<EntryId | null> {
    for (const segment of this.#lineage.slice(0, -1).toReversed()) {
      const rows = await this.#runner.all(
        "SELECT id FROM entry WHERE session_key = ? AND seq <= ? AND strand = ? ORDER BY seq DESC LIMIT 1",
        [segment.key, segment.to, strand],
      );
      if (rows[0] !== undefined) return rows[0][0] as EntryId;
    }
    return null;
  }

  /** Equal by fingerprint, or else by the stored body: the key may have been lost, or another machine's. */
  async #isEqual(place: Place, strand: Strand, encoded: EncodedContent, print: Uint8Array): Promise<boolean> {
    const rows = await this.#runner.all(
      `SELECT e.fingerprint, e.kind, e.strand, b.hash FROM entry e LEFT JOIN body b ON b.key = e.body_key
       WHERE e.session_key = ? AND e.seq = ?`,
      [place.segment.key, place.seq],
    );
    const [storedPrint, kind, storedStrand, bodyHash] = rows[0] ?? [];
    if (storedPrint instanceof Uint8Array && Buffer.compare(storedPrint, print) === 0) return true;
    if (kind !== encoded.kind || storedStrand !== strand || !(bodyHash instanceof Uint8Array)) return false;
    return Buffer.compare(bodyHash, toBytes(sha256(encoded.body))) === 0;
  }
}
