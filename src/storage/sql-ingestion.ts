import type { NewEntry } from "../sessions/entry.ts";
import type { EntryId, SessionId } from "../sessions/ids.ts";
import {
  type Bookmark,
  type IngestBatch,
  type Ingested,
  type Ingestion,
  nativePrefix,
  type Source,
} from "../sessions/ingestion.ts";
import type { ClientName } from "../sessions/session.ts";
import { AppendBatch, toEnd } from "./append-batch.ts";
import { clearedRight } from "./append-right.ts";
import { toMs } from "./entry-codec.ts";
import { type Guard, makeGuard } from "./guard.ts";
import { forgetItems } from "./inbox/sql-inbox.ts";
import { findEntries, readLineage } from "./lineage.ts";
import { readStored, type StoredSession } from "./session-row.ts";
import type { SqlDriver, SqlRunner, SqlValue } from "./sql-driver.ts";
import { startSession } from "./start-session.ts";
import { SessionIsDamaged } from "./store-errors.ts";
import { compressText, decompressText } from "./zstd.ts";

/** Takes what clients wrote into the log, over any engine that has a driver. */
export class SqlIngestion implements Ingestion {
  readonly #driver: SqlDriver;
  readonly #guard: Guard;

  /** The key makes fingerprints and markers; it never reaches the database. */
  constructor(driver: SqlDriver, key: Uint8Array) {
    this.#driver = driver;
    this.#guard = makeGuard(key);
  }

  async find({ client, path }: Source): Promise<Bookmark | undefined> {
    const rows = await this.#driver.all(
      "SELECT session_id, revision, position FROM ingestion WHERE client = ? AND path = ?",
      [client, this.#guard.redactText(path)],
    );
    if (rows[0] === undefined) return undefined;
    const [session, revision, position] = rows[0];
    return {
      session: session as SessionId,
      revision: revision as number,
      position: position as string,
      state: () => this.#readState({ client, path }, session as SessionId),
    };
  }

  store(batch: IngestBatch): Promise<Ingested> {
    const work = async (transaction: SqlRunner): Promise<Ingested> => {
      if (batch.start !== undefined) await startSession(transaction, this.#guard, batch.start);
      const stored = await readStored(transaction, batch.session, this.#driver.dialect.lockHead);
      if (stored === undefined || stored.deletedMs !== null) return { type: "gone" };
      if (!(await this.#move(transaction, batch))) return { type: "overtaken" };
      const told = await ingestEntries(transaction, this.#guard, stored, batch.entries);
      await forgetItems(transaction, batch.items ?? []);
      return { type: "stored", revision: batch.after + 1, ...told };
    };
    return this.#driver.transaction(work, batch.isRepeatable ? "at-flush" : "at-once");
  }

  flush(): Promise<void> {
    return this.#driver.flush();
  }

  async states(session: SessionId): Promise<readonly string[]> {
    const rows = await this.#driver.all("SELECT state FROM ingestion WHERE session_id = ? ORDER BY path", [
      session,
    ]);
    return rows.map(([state]) => toText(session, state));
  }

  async sharing(client: ClientName, entry: EntryId, at: Date): Promise<readonly SessionId[]> {
    // The narrow head table goes first: few sessions have changed since the entry was made, and only they can have it.
    const rows = await this.#driver.all(
      `SELECT s.key, s.id FROM session s
       WHERE s.id IN (SELECT session_id FROM ingestion WHERE first_entry = ? AND client = ?)
       UNION
       SELECT s.key, s.id FROM session_head h CROSS JOIN session s
       WHERE h.updated_ms >= ? AND h.deleted_ms IS NULL AND s.key = h.session_key AND s.client = ?
         AND EXISTS (SELECT 1 FROM entry e WHERE e.session_key = s.key AND e.id = ?)
       ORDER BY 1`,
      [entry, client, toMs(at), client, entry],
    );
    return rows.map(([, session]) => session as SessionId);
  }

  async natives(client: ClientName): Promise<ReadonlyMap<string, SessionId>> {
    const rows = await this.#driver.all(
      "SELECT path, session_id FROM ingestion WHERE client = ? AND path LIKE ?",
      [client, `${nativePrefix}%`],
    );
    return new Map(
      rows.map(([path, session]) => [(path as string).slice(nativePrefix.length), session as SessionId]),
    );
  }

  async deletions(client: ClientName): Promise<ReadonlyMap<SessionId, Date>> {
    const rows = await this.#driver.all(
      `SELECT s.id, h.deleted_ms FROM session_head h CROSS JOIN session s
       WHERE h.deleted_ms IS NOT NULL AND s.key = h.session_key AND s.client = ?`,
      [client],
    );
    return new Map(rows.map(([session, at]) => [session as SessionId, new Date(at as number)]));
  }

  async held(session: SessionId, entries: readonly EntryId[]): Promise<readonly EntryId[]> {
    const stored = await readStored(this.#driver, session);
    if (stored === undefined || stored.deletedMs !== null) return [];
    const places = await findEntries(this.#driver, await readLineage(this.#driver, stored), entries);
    return [...places].toSorted(([, one], [, other]) => one.seq - other.seq).map(([id]) => id);
  }

  async redact<Value>(value: Value): Promise<Value> {
    return this.#guard.redactJson(value);
  }

  /** Moves the bookmark if it is where the batch goes on from; others who want to wait until the transaction ends. */
  async #move(transaction: SqlRunner, { source, session, after, ...batch }: IngestBatch): Promise<boolean> {
    const { position, leading } = batch;
    const state = compressText(batch.state);
    const [client, path] = [source.client, this.#guard.redactText(source.path)];
    if (after === 0) {
      const sql = "INSERT INTO ingestion VALUES (?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO NOTHING";
      return (await transaction.run(sql, [client, path, session, position, leading, state])) === 1;
    }
    const changed = await transaction.run(
      `UPDATE ingestion SET revision = revision + 1, position = ?, first_entry = ?, state = ?
       WHERE client = ? AND path = ? AND session_id = ? AND revision = ?`,
      [position, leading, state, client, path, session, after],
    );
    return changed === 1;
  }

  async #readState({ client, path }: Source, session: SessionId): Promise<string> {
    const rows = await this.#driver.all("SELECT state FROM ingestion WHERE client = ? AND path = ?", [
      client,
      this.#guard.redactText(path),
    ]);
    return toText(session, rows[0]?.[0]);
  }
}

function toText(session: SessionId, state: SqlValue | undefined): string {
  if (!(state instanceof Uint8Array)) throw new SessionIsDamaged(session);
  return decompressText(state);
}

/** Appends what is new; where the entries and their parents are is looked up for all of them at once. */
async function ingestEntries(
  runner: SqlRunner,
  guard: Guard,
  stored: StoredSession,
  entries: readonly NewEntry[],
): Promise<{ added: number; known: number; differing: readonly EntryId[] }> {
  const lineage = await readLineage(runner, stored);
  const ids = new Set(
    entries.flatMap(({ id, parent }) => (typeof parent === "string" ? [id, parent] : [id])),
  );
  const places = await findEntries(runner, lineage, [...ids]);
  const batch = new AppendBatch(runner, guard, {
    end: toEnd(stored),
    lineage,
    find: async (id) => places.get(id),
  });
  const own = lineage.at(-1);
  const differing: EntryId[] = [];
  let added = 0;
  for (const entry of entries) {
    const receipt = await batch.append(entry);
    // What a fork shares is its origin's: the client links some of it anew when it copies it.
    if (receipt === undefined && places.get(entry.id)?.segment === own) differing.push(entry.id);
    else if (receipt?.isNew) added += 1;
    if (receipt?.isNew && own !== undefined) places.set(entry.id, { seq: receipt.seq, segment: own });
  }
  if (added > 0) await batch.saveEnd(clearedRight(runner.dialect, undefined));
  return { added, known: entries.length - added - differing.length, differing };
}
