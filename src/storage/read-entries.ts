import type { ReadRange } from "../conversation/conversation-log.ts";
import type { Entry } from "../conversation/entry.ts";
import { entryColumns, fromRow } from "./entry-codec.ts";
import { readLineage, type Segment } from "./lineage.ts";
import type { StoredSession } from "./session-row.ts";
import type { SqlRunner, SqlValue } from "./sql-driver.ts";
import { EntryIsMissing } from "./store-errors.ts";

/** How many rows are asked for at once: enough to be fast, few enough to stream a session of any size. */
const batchSize = 500;

/** Streams the entries of a session, stretch by stretch, in batches. */
export async function* readEntries(
  runner: SqlRunner,
  stored: StoredSession,
  range: ReadRange,
): AsyncGenerator<Entry> {
  const { from = 1, to = stored.session.entries } = range;
  const first = from < 0 ? Math.max(1, stored.session.entries + 1 + from) : from;
  for (const segment of await readLineage(runner, stored)) {
    const stretch = { ...segment, from: Math.max(first, segment.from), to: Math.min(to, segment.to) };
    yield* range.strand === undefined
      ? readWhole(runner, stretch)
      : readRows(runner, stretch, "AND e.strand = ?", [range.strand]);
  }
}

/** Reads a stretch of which every entry must be there. */
async function* readWhole(runner: SqlRunner, segment: Segment): AsyncGenerator<Entry> {
  let next = segment.from;
  for await (const entry of readRows(runner, segment, "", [])) {
    if (entry.seq !== next) throw new EntryIsMissing(segment.session, next);
    next += 1;
    yield entry;
  }
  if (next <= segment.to) throw new EntryIsMissing(segment.session, next);
}

async function* readRows(
  runner: SqlRunner,
  segment: Segment,
  condition: string,
  params: readonly SqlValue[],
): AsyncGenerator<Entry> {
  let next = segment.from;
  while (next <= segment.to) {
    const rows = await runner.all(
      `SELECT ${entryColumns} FROM entry e LEFT JOIN body b ON b.key = e.body_key
       WHERE e.session_key = ? AND e.seq BETWEEN ? AND ? ${condition} ORDER BY e.seq LIMIT ${batchSize}`,
      [segment.key, next, segment.to, ...params],
    );
    for (const row of rows) {
      const entry = fromRow(segment.session, row);
      if (entry === undefined) throw new EntryIsMissing(segment.session, row[0] as number);
      yield entry;
    }
    if (rows.length < batchSize) return;
    next = (rows.at(-1)?.[0] as number) + 1;
  }
}
