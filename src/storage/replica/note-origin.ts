import type { SessionId } from "../../conversation/ids.ts";
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
  /** For a copy: the entry after which its entries describe it. */
  readonly describedFrom?: number | null;
}

/** Remembers where the newest entries of a session came from. */
export async function noteOrigin(
  runner: SqlRunner,
  session: SessionId,
  { knownAs, machine, seq, begun, describedFrom = null }: CameFrom,
): Promise<void> {
  await runner.run(
    `INSERT INTO replica (session_key, known_as, machine, seq, begun_here, described_from)
     SELECT key, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT)
     FROM session WHERE id = ?
     ON CONFLICT (session_key) DO UPDATE SET machine = excluded.machine, seq = excluded.seq`,
    [knownAs, machine, seq, begun === "here" ? 1 : 0, describedFrom, session],
  );
}
