import { chainStart, sha256 } from "../sessions/chain.ts";
import type { Receipt } from "../sessions/conversation-log.ts";
import type { EntryContent, NewEntry } from "../sessions/entry.ts";
import { EntryConflict, EntryNotFound } from "../sessions/errors.ts";
import { type EntryId, mainStrand, type Strand } from "../sessions/ids.ts";
import {
  describe,
  insertBody,
  insertEntry,
  isSameDescription,
  keepLeaf,
  makeReady,
  moveEnd,
  type ReadyEntry,
  type SessionEnd,
} from "./append-plan.ts";
import { type AppendRight, areDescriptions } from "./append-right.ts";
import { decodeBody, decodeContent, encodeContent, toBytes, toHex } from "./entry-codec.ts";
import type { Guard } from "./guard.ts";
import { findEntry, type Place, readLineage, type Segment } from "./lineage.ts";
import { followEnd } from "./replica/follow-end.ts";
import type { StoredSession } from "./session-row.ts";
import type { SqlRunner, Statement } from "./sql-driver.ts";
import { SessionIsDamaged } from "./store-errors.ts";

/** Finds an entry of the session, among those of the batch too. */
export type FindPlace = (id: EntryId) => Promise<Place | undefined>;

/** What a batch is appended to. */
export interface BatchStart {
  readonly end: SessionEnd;
  readonly lineage: readonly Segment[];
  readonly find: FindPlace;
}

/** Entries on their way into a session, inside one transaction. */
export class AppendBatch {
  readonly #runner: SqlRunner;
  readonly #guard: Guard;
  readonly #start: SessionEnd;
  readonly #lineage: readonly Segment[];
  readonly #find: FindPlace;
  #end: SessionEnd;

  constructor(runner: SqlRunner, guard: Guard, { end, lineage, find }: BatchStart) {
    this.#runner = runner;
    this.#guard = guard;
    this.#start = end;
    this.#lineage = lineage;
    this.#find = find;
    this.#end = end;
  }

  get end(): SessionEnd {
    return this.#end;
  }

  /** Appends an entry unless its id is stored; undefined when it is stored with other content. */
  async append(entry: NewEntry): Promise<Receipt | undefined> {
    const { id } = entry;
    const place = await this.#find(id);
    if (place !== undefined)
      return (await this.#isEqual(place, entry)) ? { seq: place.seq, id, isNew: false } : undefined;
    const { ready, bodyKey } = await this.#store(entry, await this.#chooseParent(entry));
    if ((await this.#run(insertEntry(ready, bodyKey))) !== 1) throw new SessionIsDamaged(this.#start.session);
    this.#end = ready.end;
    return { seq: ready.end.seq, id, isNew: true };
  }

  async saveEnd(right: AppendRight): Promise<void> {
    if ((await this.#run(moveEnd(this.#start, this.#end, right))) !== 1)
      throw new SessionIsDamaged(this.#start.session);
    if (!isSameDescription(this.#start.facts, this.#end.facts))
      await this.#run(describe(this.#start.key, this.#end.facts));
  }

  #run({ sql, params }: Statement): Promise<number> {
    return this.#runner.run(sql, params);
  }

  /** Stores the body of an entry; one whose equal was scrubbed gets what stands there now, so that the secret stays out. */
  async #store(entry: NewEntry, parent: EntryId | null): Promise<{ ready: ReadyEntry; bodyKey: number }> {
    let content: EntryContent | undefined;
    // What stands there now may have been scrubbed in turn, a few times at most.
    for (let turn = 0; turn < 10; turn += 1) {
      const ready = makeReady(this.#guard, this.#end, entry, parent, content);
      const bodyKey = await this.#storeBody(ready);
      if (bodyKey !== undefined) return { ready, bodyKey };
      content = await readScrubbed(this.#runner, ready);
      if (content === undefined) break;
    }
    throw new SessionIsDamaged(this.#start.session);
  }

  /** Returns the key of the body, which may be that of an equal one; undefined when that was scrubbed. */
  async #storeBody(ready: ReadyEntry): Promise<number | undefined> {
    if ((await this.#run(insertBody(ready))) === 1) return ready.bodyKey;
    const rows = await this.#runner.all(
      "UPDATE body SET refs = refs + 1 WHERE project_key = ? AND hash = ? AND scrubbed_hash IS NULL RETURNING key",
      [ready.end.projectKey, toBytes(ready.bodyHash)],
    );
    return rows[0]?.[0] as number | undefined;
  }

  async #chooseParent(entry: NewEntry): Promise<EntryId | null> {
    const leaf = await this.#leafOf(entry.strand ?? mainStrand);
    if (entry.parent === undefined) return leaf;
    if (entry.parent === null || entry.parent === leaf) return entry.parent;
    const place = await this.#find(entry.parent);
    if (place === undefined) throw new EntryNotFound(this.#start.session, entry.parent);
    return entry.parent;
  }

  /** Returns the newest entry of a strand; the head knows that of the strand written last, the table the others. */
  async #leafOf(strand: Strand): Promise<EntryId | null> {
    const { leaf, leafStrand, key } = this.#end;
    if (leaf === null || leafStrand === strand) return leaf;
    await this.#run(keepLeaf(key, leafStrand, leaf));
    const sql = "SELECT leaf FROM strand WHERE session_key = ? AND strand = ?";
    const known = (await this.#runner.all(sql, [key, strand]))[0]?.[0];
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
  async #isEqual(place: Place, entry: NewEntry): Promise<boolean> {
    const asGiven = encodeContent(entry);
    const { kind, body } = encodeContent(this.#guard.redact(entry));
    const { strand = mainStrand } = entry;
    const asked = this.#guard.fingerprint(asGiven.kind, strand, sha256(asGiven.body));
    const rows = await this.#runner.all(
      `SELECT e.fingerprint, e.kind, e.strand, b.hash FROM entry e LEFT JOIN body b ON b.key = e.body_key
       WHERE e.session_key = ? AND e.seq = ?`,
      [place.segment.key, place.seq],
    );
    const [print, storedKind, storedStrand, storedHash] = rows[0] ?? [];
    if (toHex(print) === toHex(asked)) return true;
    return storedKind === kind && storedStrand === strand && toHex(storedHash) === sha256(body);
  }
}

/** Returns what stands now in place of an equal body that was scrubbed; undefined when none was. */
async function readScrubbed(runner: SqlRunner, ready: ReadyEntry): Promise<EntryContent | undefined> {
  const rows = await runner.all(
    "SELECT json, zstd FROM body WHERE project_key = ? AND hash = ? AND scrubbed_hash IS NOT NULL",
    [ready.end.projectKey, toBytes(ready.bodyHash)],
  );
  const body = decodeBody(rows[0]?.[0], rows[0]?.[1]);
  return body === undefined ? undefined : decodeContent(ready.kind, body);
}

export interface Appended {
  readonly receipts: readonly Receipt[];
  /** Where the session ends now; undefined for a fork, whose next entry may be one that it shares. */
  readonly end: SessionEnd | undefined;
}

/** Appends a batch to a session; runs inside the caller's transaction, so that it is all or nothing. */
export async function appendEntries(
  runner: SqlRunner,
  guard: Guard,
  stored: StoredSession,
  entries: readonly NewEntry[],
  right: AppendRight,
): Promise<Appended> {
  const lineage = await readLineage(runner, stored);
  const find = (id: NewEntry["id"]) => findEntry(runner, lineage, id);
  const batch = new AppendBatch(runner, guard, { end: toEnd(stored), lineage, find });
  const receipts: Receipt[] = [];
  for (const entry of entries) {
    const receipt = await batch.append(entry);
    if (receipt === undefined) throw new EntryConflict(stored.session.id, entry.id);
    receipts.push(receipt);
  }
  if (receipts.some((receipt) => receipt.isNew)) await batch.saveEnd(right);
  if (areDescriptions(entries)) await followEnd(runner, stored, batch.end.seq);
  return { receipts, end: lineage.length === 1 ? batch.end : undefined };
}

/** Returns where a session ends. */
export function toEnd({ key, projectKey, leaf, leafStrand, facts, session }: StoredSession): SessionEnd {
  const { id, entries, head } = session;
  return { session: id, key, projectKey, seq: entries, hash: head ?? chainStart, leaf, leafStrand, facts };
}
