import { AppError } from "../lib/app-error.ts";
import type { ReadRange } from "../sessions/conversation-log.ts";
import type { Entry } from "../sessions/entry.ts";
import type { Strand } from "../sessions/ids.ts";
import { entryColumns, fromRow } from "./entry-codec.ts";
import { readLineage, type Segment } from "./lineage.ts";
import type { StoredSession } from "./session-row.ts";
import type { Row, SqlRunner } from "./sql-driver.ts";
import { EntryIsMissing } from "./store-errors.ts";

/** How many rows are asked for at once: enough to be fast, few enough to stream a session of any size. */
const batchSize = 500;

const selectOf = (columns: string) => `SELECT ${columns} FROM entry e LEFT JOIN body b ON b.key = e.body_key
  WHERE e.session_key = ? AND e.seq BETWEEN ? AND ?`;
const select = selectOf(entryColumns);
const inOrder = "ORDER BY e.seq LIMIT ?";

/** Streams the entries of a session, stretch by stretch, in batches. */
export async function* readEntries(
  runner: SqlRunner,
  find: () => Promise<StoredSession>,
  range: ReadRange,
): AsyncGenerator<Entry> {
  const stored = await find();
  const { from = 1, to = stored.session.entries, strand } = range;
  const first = from < 0 ? Math.max(1, stored.session.entries + 1 + from) : from;
  for (const segment of await readLineage(runner, stored)) {
    const stretch = { ...segment, from: Math.max(first, segment.from), to: Math.min(to, segment.to) };
    // Only this generator yields single entries: each further layer of them would cost as much as parsing does.
    for await (const batch of strand === undefined
      ? readAll(runner, stretch)
      : readStrand(runner, stretch, strand)) {
      for (const row of batch) yield toEntry(stretch, row);
    }
  }
}

/** Reads columns of a stretch of which every entry must be there; the first column is its number. */
export async function* readAll(
  runner: SqlRunner,
  { key, session, from, to }: Segment,
  columns = entryColumns,
): AsyncGenerator<readonly Row[]> {
  const sql = `${selectOf(columns)} ${inOrder}`;
  for (let next = from; next <= to; ) {
    const rows = await askRows(
      (limit) => runner.all(sql, [key, next, to, limit]),
      Math.min(batchSize, to - next + 1),
    );
    const first = next;
    const gap = rows.findIndex((row, index) => row[0] !== first + index);
    const whole = gap === -1 ? rows : rows.slice(0, gap);
    yield whole;
    next += whole.length;
    if (gap !== -1 || rows.length === 0) throw new EntryIsMissing(session, next);
  }
}

async function* readStrand(
  runner: SqlRunner,
  { key, from, to }: Segment,
  strand: Strand,
): AsyncGenerator<readonly Row[]> {
  for (let next = from; next <= to; ) {
    const rows = await askRows(
      (limit) => runner.all(`${select} AND e.strand = ? ${inOrder}`, [key, next, to, strand, limit]),
      batchSize,
    );
    yield rows;
    if (rows.length === 0) return;
    next = (rows.at(-1)?.[0] as number) + 1;
  }
}

function toEntry({ session }: Segment, row: Row): Entry {
  const entry = fromRow(session, row);
  if (entry === undefined) throw new EntryIsMissing(session, row[0] as number);
  return entry;
}

/**
 * Asks for the next rows, or only for one when one of them cannot be read.
 *
 * The engine refuses a whole answer for one damaged row, also for one that comes just after those that are wanted:
 * asked one by one, all before the damaged one are still there.
 */
export async function askRows(
  ask: (limit: number) => Promise<readonly Row[]>,
  limit: number,
): Promise<readonly Row[]> {
  try {
    return await ask(limit);
  } catch (error) {
    if (error instanceof AppError && error.kind === "io") return ask(1);
    throw error;
  }
}
