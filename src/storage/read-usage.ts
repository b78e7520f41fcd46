import type { SqlRunner } from "./sql-driver.ts";

export interface UsageRow {
  readonly project: string;
  readonly client: string;
  readonly sessions: number;
  /** Entries of its own; those shared with an origin count there. */
  readonly entries: number;
  /** Stored bytes of the bodies; one that several entries share is divided among them. */
  readonly bytes: number;
}

/** Returns who takes how much space, largest first. Reads the whole store. */
export async function readUsage(runner: SqlRunner): Promise<readonly UsageRow[]> {
  const rows = await runner.all(
    `SELECT p.name, s.client, count(DISTINCT CASE WHEN h.deleted_ms IS NULL THEN s.key END), count(e.seq),
       coalesce(sum((coalesce(octet_length(b.json), 0) + coalesce(length(b.zstd), 0)) * 1.0 / b.refs), 0)
     FROM session s JOIN session_head h ON h.session_key = s.key JOIN project p ON p.key = h.project_key
     LEFT JOIN entry e ON e.session_key = s.key LEFT JOIN body b ON b.key = e.body_key
     WHERE h.deleted_ms IS NULL OR e.seq IS NOT NULL GROUP BY p.key, s.client ORDER BY p.name, s.client`,
  );
  const usage = rows.map(([project, client, sessions, entries, bytes]) => ({
    project: String(project),
    client: String(client),
    sessions: Number(sessions),
    entries: Number(entries),
    bytes: Math.trunc(Number(bytes)),
  }));
  return usage.toSorted((one, other) => other.bytes - one.bytes);
}
