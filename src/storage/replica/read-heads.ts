import { AppError } from "../../lib/app-error.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { type HeadQuery, keptHashLength, type ReplicaHead } from "../../sessions/replica.ts";
import type { ClientName } from "../../sessions/session.ts";
import { toHex } from "../entry-codec.ts";
import { readLineage } from "../lineage.ts";
import { type StoredSession, sendAll } from "../session-row.ts";
import type { Row, SqlRunner, SqlValue } from "../sql-driver.ts";

const pageSize = 500;

const select = `SELECT s.key, s.id, coalesce(r.known_as, s.id), s.client, s.started_ms, h.head_seq, h.head_hash,
    h.deleted_ms, CASE WHEN r.seq >= h.head_seq THEN r.machine END,
    CASE WHEN r.begun_here = 0 AND r.seq >= h.head_seq THEN 0 ELSE 1 END
  FROM session s JOIN session_head h ON h.session_key = s.key LEFT JOIN replica r ON r.session_key = s.key`;

/** Streams where sessions stand, in the order in which they came into the store. */
export async function* readHeads(
  runner: SqlRunner,
  { project, sessions }: HeadQuery,
): AsyncGenerator<readonly ReplicaHead[]> {
  const scope = project === undefined ? "" : " AND h.project_key = (SELECT key FROM project WHERE id = ?)";
  const wanted = sessions && new Set<string>(sessions);
  let after = 0;
  for (;;) {
    const params: SqlValue[] = project === undefined ? [after] : [after, project];
    const rows = await runner.all(`${select} WHERE s.key > ?${scope} ORDER BY s.key LIMIT ?`, [
      ...params,
      pageSize,
    ]);
    const page = rows.map(fromRow).filter(({ session }) => wanted === undefined || wanted.has(session));
    if (page.length > 0) yield page;
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.[0] as number;
  }
}

/** Returns where everything stands that other stores know by these ids. */
export async function readRelatives(
  runner: SqlRunner,
  knownAs: readonly SessionId[],
): Promise<readonly ReplicaHead[]> {
  const found: ReplicaHead[] = [];
  const size = knownAs.length === 1 ? 1 : idsAtOnce;
  const marks = Array.from({ length: size }, () => "?").join(", ");
  for (let from = 0; from < knownAs.length; from += size) {
    const some = knownAs.slice(from, from + size);
    const ids = [...some, ...Array.from({ length: size - some.length }, () => "")];
    const rows = await sendAll([
      runner.all(`${select} WHERE s.id IN (${marks}) AND (r.known_as IS NULL OR r.known_as = s.id)`, ids),
      runner.all(`${select} WHERE r.known_as IN (${marks}) AND r.known_as <> s.id`, ids),
    ]);
    found.push(...rows.flat().map(fromRow));
  }
  return found;
}

/** Ids that are asked for at once where there are several; a statement of one size is prepared once. */
const idsAtOnce = 100;

function fromRow([
  ,
  session,
  knownAs,
  client,
  startedMs,
  entries,
  head,
  deletedMs,
  machine,
  isOwn,
]: Row): ReplicaHead {
  return {
    session: session as SessionId,
    knownAs: knownAs as SessionId,
    client: client as ClientName,
    startedAt: new Date(startedMs as number),
    entries: entries as number,
    head: toHex(head),
    deletedAt: deletedMs === null ? null : new Date(deletedMs as number),
    machine: machine as string | null,
    isOwn: isOwn === 1,
  };
}

const keptBytes = keptHashLength / 2;

/** Returns the hashes of a stretch of a session; of a deleted one what is left of them. */
export async function readHashes(
  runner: SqlRunner,
  stored: StoredSession,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly string[]> {
  if (stored.deletedMs !== null) return readKept(runner, stored, { from, to });
  const hashes: string[] = [];
  for (const segment of await readLineage(runner, stored)) {
    const rows = await runner.all(
      "SELECT hash FROM entry WHERE session_key = ? AND seq BETWEEN ? AND ? ORDER BY seq",
      [segment.key, Math.max(from, segment.from), Math.min(to, segment.to)],
    );
    for (const [hash] of rows) hashes.push(toHex(hash) ?? "");
  }
  return hashes;
}

async function readKept(
  runner: SqlRunner,
  { key, session }: StoredSession,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly string[]> {
  const { entries, head } = session;
  const kept = await readTombstoneHashes(runner, key);
  const hashes: string[] = [];
  for (let seq = from; seq <= Math.min(to, entries); seq += 1) {
    const begins = toHex(kept.subarray((seq - 1) * keptBytes, seq * keptBytes)) ?? "";
    const hash = seq === entries ? head : begins;
    if (hash === null || hash === "") return [];
    hashes.push(hash);
  }
  return hashes;
}

/** Returns the beginnings of the hashes of a deleted session; none where it was deleted before they were kept. */
export async function readTombstoneHashes(runner: SqlRunner, key: number): Promise<Uint8Array> {
  const rows = await runner.all("SELECT hashes FROM tombstone WHERE session_key = ?", [key]);
  const hashes = rows[0]?.[0];
  return hashes instanceof Uint8Array ? hashes : new Uint8Array();
}

/** Keeps the beginnings of the hashes of a session that is about to be deleted. */
export async function keepHashes(runner: SqlRunner, stored: StoredSession): Promise<void> {
  const hashes = await readWhole(runner, stored);
  const kept = Buffer.from(hashes.map((hash) => hash.slice(0, keptHashLength)).join(""), "hex");
  await writeTombstoneHashes(runner, stored.key, kept);
}

/** A session that is damaged can be deleted all the same; of its hashes nothing is certain. */
async function readWhole(runner: SqlRunner, stored: StoredSession): Promise<readonly string[]> {
  const { entries } = stored.session;
  try {
    const hashes = await readHashes(runner, stored, { from: 1, to: entries });
    return hashes.length === entries ? hashes : [];
  } catch (error) {
    if (error instanceof AppError && error.kind === "io") return [];
    throw error;
  }
}

/** Remembers the beginnings of the hashes of a deleted session. */
export async function writeTombstoneHashes(
  runner: SqlRunner,
  key: number,
  hashes: Uint8Array,
): Promise<void> {
  await runner.run(
    "INSERT INTO tombstone VALUES (?, ?) ON CONFLICT (session_key) DO UPDATE SET hashes = excluded.hashes",
    [key, hashes],
  );
}
