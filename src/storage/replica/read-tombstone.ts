import { parseSessionId, type SessionId } from "../../sessions/ids.ts";
import type { Tombstone } from "../../sessions/replica.ts";
import { readStored } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { findKnownAs } from "./find-known.ts";
import { readTombstoneHashes } from "./read-hashes.ts";

/** Returns what is left of a deleted session; undefined for one that is there, or never was. */
export async function readTombstone(runner: SqlRunner, session: SessionId): Promise<Tombstone | undefined> {
  const stored = await readStored(runner, parseSessionId(session));
  if (stored === undefined || stored.deletedMs === null) return undefined;
  const { client, startedAt, entries, head, project, projectName, machine } = stored.session;
  return {
    knownAs: await findKnownAs(runner, stored),
    ...{ client, startedAt, entries, head, machine },
    project: { id: project, name: projectName },
    deletedAt: new Date(stored.deletedMs),
    hashes: await readTombstoneHashes(runner, stored.key),
  };
}
