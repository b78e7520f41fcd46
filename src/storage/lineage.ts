import type { EntryId, SessionId } from "../sessions/ids.ts";
import type { StoredSession } from "./session-row.ts";
import type { SqlRunner } from "./sql-driver.ts";
import { SessionIsDamaged } from "./store-errors.ts";

/** A stretch of entries that one session holds and that a session and its forks share. */
export interface Segment {
  readonly key: number;
  readonly session: SessionId;
  /** The first and last sequence number; empty when `from` is greater than `to`. */
  readonly from: number;
  readonly to: number;
}

/** Returns the stretches that make up a session, oldest first; the last one is its own. */
export async function readLineage(runner: SqlRunner, stored: StoredSession): Promise<readonly Segment[]> {
  const own: Segment = {
    key: stored.key,
    session: stored.session.id,
    from: stored.baseSeq + 1,
    to: stored.session.entries,
  };
  if (stored.baseKey === null) return withoutGaps([own]);
  // Each base begins before the point where it is forked, so that damaged rows cannot send the query in circles.
  const rows = await runner.all(
    `WITH RECURSIVE line (key, upto) AS (
       SELECT base_key, base_seq FROM session WHERE key = ?
       UNION ALL
       SELECT s.base_key, s.base_seq FROM line JOIN session s ON s.key = line.key
       WHERE s.base_key IS NOT NULL AND s.base_seq < line.upto
     )
     SELECT s.key, s.id, s.base_seq, line.upto FROM line JOIN session s ON s.key = line.key ORDER BY line.upto`,
    [stored.key],
  );
  const shared = rows.map(([key, session, baseSeq, upto]) => ({
    key: key as number,
    session: session as SessionId,
    from: (baseSeq as number) + 1,
    to: upto as number,
  }));
  return withoutGaps([...shared, own]);
}

/** Returns the stretches if each goes on where the one before it ends, beginning with 1, and none ends before that. */
function withoutGaps(lineage: readonly Segment[]): readonly Segment[] {
  const hasGap = lineage.some(
    ({ from, to }, index) => from !== (lineage[index - 1]?.to ?? 0) + 1 || to < from - 1,
  );
  if (hasGap) throw new SessionIsDamaged(lineage.at(-1)?.session ?? "");
  return lineage;
}

/** Where an entry is and what is needed to compare or continue it. */
export interface Place {
  readonly seq: number;
  readonly segment: Segment;
}

/** Finds an entry of a session by its id, newest stretch first. */
export async function findEntry(
  runner: SqlRunner,
  lineage: readonly Segment[],
  id: EntryId,
): Promise<Place | undefined> {
  for (const segment of lineage.toReversed()) {
    const rows = await runner.all("SELECT seq FROM entry WHERE session_key = ? AND id = ?", [
      segment.key,
      id,
    ]);
    const seq = rows[0]?.[0];
    if (typeof seq === "number" && (segment === lineage.at(-1) || seq <= segment.to)) return { seq, segment };
  }
  return undefined;
}

/** Ids that are asked for at once; a statement of one size is prepared once. */
const idsAtOnce = 200;

/** Finds many entries of a session at once; those that it does not have are left out. */
export async function findEntries(
  runner: SqlRunner,
  lineage: readonly Segment[],
  ids: readonly EntryId[],
): Promise<Map<EntryId, Place>> {
  const places = new Map<EntryId, Place>();
  const marks = Array.from({ length: idsAtOnce }, () => "?").join(", ");
  for (const segment of lineage.filter(({ from, to }) => from <= to)) {
    for (let from = 0; from < ids.length; from += idsAtOnce) {
      const some = ids.slice(from, from + idsAtOnce);
      const padding = Array.from({ length: idsAtOnce - some.length }, () => "");
      const rows = await runner.all(
        `SELECT id, seq FROM entry WHERE session_key = ? AND seq <= ? AND id IN (${marks})`,
        [segment.key, segment.to, ...some, ...padding],
      );
      for (const [id, seq] of rows) places.set(id as EntryId, { seq: seq as number, segment });
    }
  }
  return places;
}
