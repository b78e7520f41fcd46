import { type EntryId, makeEntryId, type SessionId } from "../../sessions/ids.ts";
import { readScrubNote, type ScrubbedEntry, scrubbed } from "../../sessions/scrub-note.ts";
import { appendEntries } from "../append-batch.ts";
import { clearedRight } from "../append-right.ts";
import { decodeBody, toHex } from "../entry-codec.ts";
import type { Guard } from "../guard.ts";
import { readLineage, type Segment } from "../lineage.ts";
import { followEnd } from "../replica/follow-end.ts";
import { readStored } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";

/** How many entries one note names. */
const mostNamed = 500;

/** Appends the note that these entries of a session were scrubbed, as any other entry is appended. */
export async function noteScrubbed(
  runner: SqlRunner,
  guard: Guard,
  session: SessionId,
  { at, entries }: { readonly at: Date; readonly entries: readonly ScrubbedEntry[] },
): Promise<void> {
  const stored = await readStored(runner, session);
  if (stored === undefined || entries.length === 0) return;
  const notes = Array.from({ length: Math.ceil(entries.length / mostNamed) }, (_, index) =>
    scrubbed(makeEntryId(at), at, entries.slice(index * mostNamed, (index + 1) * mostNamed)),
  );
  // It holds ids and hashes only, and would be worth nothing if one of them looked like a secret.
  await appendEntries(
    runner,
    { ...guard, redact: (content) => content },
    stored,
    notes,
    clearedRight(runner.dialect, undefined),
  );
  await followEnd(runner, stored, stored.session.entries + notes.length);
}

/**
 * Notes in a new fork which of the entries that it shares were scrubbed, unless it shares the note as well.
 *
 * Costs one look at an index where nothing was scrubbed.
 */
export async function noteInFork(
  runner: SqlRunner,
  guard: Guard,
  session: SessionId,
  at: Date,
): Promise<void> {
  const stored = await readStored(runner, session);
  if (stored === undefined) return;
  const shared = (await readLineage(runner, stored)).slice(0, -1);
  const entries = await findUnnoted(runner, shared);
  await noteScrubbed(runner, guard, session, { at, entries });
}

/** Returns the scrubbed entries of these stretches that no note in them tells of as they are. */
export async function findUnnoted(
  runner: SqlRunner,
  segments: readonly Segment[],
): Promise<readonly ScrubbedEntry[]> {
  const entries: ScrubbedEntry[] = [];
  for (const segment of segments) entries.push(...(await readScrubbedEntries(runner, segment)));
  if (entries.length === 0) return [];
  const noted = await readNotes(runner, segments);
  return entries.filter(({ id, hash }) => noted.get(id) !== hash);
}

async function readScrubbedEntries(
  runner: SqlRunner,
  { key, to }: Segment,
): Promise<readonly ScrubbedEntry[]> {
  const rows = await runner.all(
    `SELECT e.id, b.scrubbed_hash FROM scrubbed_entry s
     JOIN entry e ON e.session_key = s.session_key AND e.seq = s.seq JOIN body b ON b.key = e.body_key
     WHERE s.session_key = ? AND s.seq <= ? ORDER BY s.seq`,
    [key, to],
  );
  return rows.map(([id, hash]) => ({ id: id as EntryId, hash: toHex(hash) ?? "" }));
}

/** Returns what the shared notes say; of several about one entry the last counts. */
async function readNotes(
  runner: SqlRunner,
  shared: readonly Segment[],
): Promise<ReadonlyMap<EntryId, string>> {
  const noted = new Map<EntryId, string>();
  for (const { key, to } of shared) {
    const rows = await runner.all(
      `SELECT b.json, b.zstd FROM entry e JOIN body b ON b.key = e.body_key
       WHERE e.session_key = ? AND e.seq <= ? AND e.kind = 'event' ORDER BY e.seq`,
      [key, to],
    );
    for (const [json, zstd] of rows) {
      for (const { id, hash } of readScrubNote(decodeBody(json, zstd) ?? "")) noted.set(id, hash);
    }
  }
  return noted;
}
