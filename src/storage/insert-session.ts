import type { EntryId, SessionId, Strand } from "../sessions/ids.ts";
import type { ClientName, ForkPoint } from "../sessions/session.ts";
import type { SessionFacts } from "../sessions/session-facts.ts";
import { toBytes } from "./entry-codec.ts";
import { foldTitle, sendAll, toTagColumns } from "./session-row.ts";
import type { SqlRunner } from "./sql-driver.ts";

/** Everything that a new session begins with. */
export interface SessionStart {
  readonly id: SessionId;
  readonly client: ClientName;
  readonly clientSessionId: string | null;
  readonly cwd: string;
  readonly branch: string | null;
  readonly machine: string;
  readonly startedMs: number;
  readonly forkedFrom: ForkPoint | null;
  readonly baseKey: number | null;
  readonly baseSeq: number;
  readonly baseHash: string | null;
  readonly projectKey: number;
  readonly facts: SessionFacts;
  readonly leaf: EntryId | null;
  readonly leafStrand: Strand | null;
}

/** Writes the two rows of a new session. */
export async function insertSession(runner: SqlRunner, start: SessionStart): Promise<void> {
  const { facts } = start;
  const { title, tags, status } = facts;
  const baseHash = start.baseHash === null ? null : toBytes(start.baseHash);
  const session = runner.run(
    `INSERT INTO session (id, client, client_session_id, cwd, branch, machine, started_ms,
       forked_from_session, forked_from_entry, base_key, base_seq, base_hash,
       title, title_ms, title_by, title_folded, opening, tags, tag_facts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[
        start.id,
        start.client,
        start.clientSessionId,
        start.cwd,
        start.branch,
        start.machine,
        start.startedMs,
      ],
      ...[start.forkedFrom?.session ?? null, start.forkedFrom?.entry ?? null],
      ...[start.baseKey, start.baseSeq, baseHash],
      ...[title.value, title.stamp.atMs, title.stamp.by, foldTitle(title.value ?? facts.opening ?? "")],
      ...[facts.opening, ...toTagColumns(tags)],
    ],
  );
  const head = runner.run(
    `INSERT INTO session_head (session_key, project_key, updated_ms, deleted_ms, status, status_ms, status_by,
       head_seq, head_hash, messages, leaf, leaf_strand)
     VALUES ((SELECT key FROM session WHERE id = ?), ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[start.id, start.projectKey, facts.updatedMs],
      ...[status.value, status.stamp.atMs, status.stamp.by],
      ...[start.baseSeq, baseHash, facts.messages, start.leaf, start.leafStrand],
    ],
  );
  await sendAll([session, head]);
}
