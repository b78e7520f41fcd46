import type { SessionId } from "../../sessions/ids.ts";
import type { SqlRunner } from "../sql-driver.ts";

/** Where entries came from. */
interface CameFrom {
  /** The id by which other stores know the session; the first that was told stays. */
  readonly knownAs: SessionId;
  readonly machine: string;
  /** The last entry that came from there. */
  readonly seq: number;
  /** Where the session was begun; what was told first stays. */
  readonly begun: "here" | "elsewhere";
  /** How many entries the session had before: more than came from elsewhere means that it was continued here. */
  readonly entriesBefore?: number;
  /** For a copy: the entry after which its entries describe it. */
  readonly describedFrom?: number | null;
}

/** Stands in `begun_here` for a session that was begun elsewhere and continued here; 1 is begun here, 0 neither. */
const continuedHere = 2;

/** Remembers where the newest entries of a session came from. */
export async function noteOrigin(
  runner: SqlRunner,
  session: SessionId,
  { knownAs, machine, seq, begun, entriesBefore = 0, describedFrom = null }: CameFrom,
): Promise<void> {
  await runner.run(
    `INSERT INTO replica (session_key, known_as, machine, seq, begun_here, described_from)
     SELECT key, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT)
     FROM session WHERE id = ?
     ON CONFLICT (session_key) DO UPDATE SET machine = excluded.machine, seq = excluded.seq, begun_here =
       CASE WHEN replica.begun_here = 0 AND replica.seq < CAST(? AS BIGINT) THEN ${continuedHere} ELSE replica.begun_here END`,
    [knownAs, machine, seq, begun === "here" ? 1 : 0, describedFrom, session, entriesBefore],
  );
}

/** Remembers that a session is also the work of this store, wherever it was begun. */
export async function noteContinued(runner: SqlRunner, session: SessionId): Promise<void> {
  await runner.run(
    `UPDATE replica SET begun_here = ${continuedHere}
     WHERE begun_here = 0 AND session_key = (SELECT key FROM session WHERE id = ?)`,
    [session],
  );
}
