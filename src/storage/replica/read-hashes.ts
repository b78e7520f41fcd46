import { AppError } from "../../lib/app-error.ts";
import { keptHashLength } from "../../sessions/replica.ts";
import { toHex } from "../entry-codec.ts";
import { readLineage } from "../lineage.ts";
import type { StoredSession } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";

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
