import { SessionNotFound } from "../../sessions/errors.ts";
import { type EntryId, parseSessionId, type SessionId, type Strand } from "../../sessions/ids.ts";
import type {
  HeadQuery,
  Intake,
  Known,
  LinkedEntry,
  Replica,
  ReplicaHead,
  Tombstone,
} from "../../sessions/replica.ts";
import { type ColumnType, decodeBody, hasTypes, toHex } from "../entry-codec.ts";
import { type Guard, makeGuard } from "../guard.ts";
import { findEntries, readLineage } from "../lineage.ts";
import { readAll } from "../read-entries.ts";
import { readStored } from "../session-row.ts";
import type { Row, SqlDriver, SqlRunner } from "../sql-driver.ts";
import { EntryIsDamaged, EntryIsMissing } from "../store-errors.ts";
import { findKnown, findKnownAs } from "./find-known.ts";
import { readHashes, readHeads, readRelatives, readTombstoneHashes } from "./read-heads.ts";
import { SqlIntake } from "./sql-intake.ts";

/** The exchange of sessions with other stores, over any engine that has a driver. */
export class SqlReplica implements Replica {
  readonly #driver: SqlDriver;
  readonly #guard: Guard;

  /** The key makes fingerprints and markers; it never reaches the database. */
  constructor(driver: SqlDriver, key: Uint8Array) {
    this.#driver = driver;
    this.#guard = makeGuard(key);
  }

  find(session: SessionId): Promise<Known | undefined> {
    return findKnown(this.#driver, session);
  }

  async *read(
    session: SessionId,
    range: { readonly from?: number; readonly to?: number } = {},
  ): AsyncGenerator<readonly LinkedEntry[]> {
    const stored = await readStored(this.#driver, parseSessionId(session));
    if (stored === undefined || stored.deletedMs !== null) throw new SessionNotFound(session);
    const { from = 1, to = stored.session.entries } = range;
    for (const segment of await readLineage(this.#driver, stored)) {
      const stretch = { ...segment, from: Math.max(from, segment.from), to: Math.min(to, segment.to) };
      for await (const rows of readAll(this.#driver, stretch, linkedColumns))
        yield rows.map((row) => toLinked(segment.session, row));
    }
  }

  heads(query: HeadQuery = {}): AsyncIterable<readonly ReplicaHead[]> {
    return readHeads(this.#driver, query);
  }

  relatives(knownAs: readonly SessionId[]): Promise<readonly ReplicaHead[]> {
    return readRelatives(this.#driver, knownAs);
  }

  async hashes(session: SessionId, from: number, to: number): Promise<readonly string[]> {
    const stored = await readStored(this.#driver, parseSessionId(session));
    if (stored === undefined) throw new SessionNotFound(session);
    return readHashes(this.#driver, stored, { from, to });
  }

  async holds(session: SessionId, entries: readonly EntryId[]): Promise<ReadonlySet<EntryId>> {
    const stored = await readStored(this.#driver, parseSessionId(session));
    if (stored === undefined || stored.deletedMs !== null) throw new SessionNotFound(session);
    const lineage = await readLineage(this.#driver, stored);
    return new Set((await findEntries(this.#driver, lineage, entries)).keys());
  }

  tombstone(session: SessionId): Promise<Tombstone | undefined> {
    return readTombstone(this.#driver, session);
  }

  receive<Result>(work: (intake: Intake) => Promise<Result>): Promise<Result> {
    return this.#driver.transaction((transaction) => work(new SqlIntake(transaction, this.#guard)));
  }
}

const linkedColumns =
  "e.seq, e.id, e.parent, e.strand, e.kind, e.at_ms, e.hash, b.hash, b.scrubbed_hash, b.json, b.zstd";

const linkedTypes: readonly ColumnType[] = [
  ...(["integer", "text", "text?", "text", "text", "moment", "bytes?", "bytes?", "bytes?"] as const),
];

function toLinked(session: SessionId, row: Row): LinkedEntry {
  const [seq, id, parent, strand, kind, atMs, hash, bodyHash, scrubbedHash, json, zstd] = row;
  if (!hasTypes(row, linkedTypes)) throw new EntryIsDamaged(session, seq as number);
  const body = readBody(session, seq as number, () => decodeBody(json, zstd));
  return {
    seq: seq as number,
    id: id as EntryId,
    parent: parent as EntryId | null,
    strand: strand as Strand,
    kind: kind as string,
    at: new Date(atMs as number),
    hash: toHex(hash) ?? "",
    body,
    scrubbedFrom: scrubbedHash === null ? null : toHex(bodyHash),
  };
}

function readBody(session: SessionId, seq: number, read: () => string | undefined): string {
  try {
    const body = read();
    if (body !== undefined) return body;
  } catch (error) {
    throw new EntryIsDamaged(session, seq, error);
  }
  throw new EntryIsMissing(session, seq);
}

/** Returns what is left of a deleted session; undefined for one that is there, or never was. */
async function readTombstone(runner: SqlRunner, session: SessionId): Promise<Tombstone | undefined> {
  const stored = await readStored(runner, parseSessionId(session));
  if (stored === undefined || stored.deletedMs === null) return undefined;
  const { client, startedAt, entries, head, project, projectName, machine } = stored.session;
  return {
    knownAs: await findKnownAs(runner, stored),
    ...{ client, startedAt, entries, head, machine },
    project: { id: project, name: projectName },
    deletedAt: new Date(stored.deletedMs),
    hashes: await readTombstoneHashes(runner, stored.key),
  };
}
