import { sha256 } from "../../sessions/chain.ts";
import { parseSessionId, type SessionId } from "../../sessions/ids.ts";
import { isSameHash, keptHashLength, type Tombstone } from "../../sessions/replica.ts";
import { startFacts } from "../../sessions/session-facts.ts";
import { toBytes, toHex, toMs } from "../entry-codec.ts";
import type { Guard } from "../guard.ts";
import { readStored, type StoredSession } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { takeProject } from "../sql-projects.ts";
import { insertSession } from "../start-session.ts";
import { noteOrigin } from "./note-origin.ts";
import { readRelatives, writeTombstoneHashes } from "./read-heads.ts";

/**
 * Remembers what was deleted elsewhere: in a tombstone that is here already and is a part of it, else in one of its own.
 *
 * What was deleted there may be longer than what was here, and must not come back by way of a third store.
 */
export async function writeTombstone(
  runner: SqlRunner,
  guard: Guard,
  tombstone: Tombstone,
  buried: readonly StoredSession[],
): Promise<void> {
  const key =
    buried[0]?.key ?? (await findPart(runner, tombstone)) ?? (await insert(runner, guard, tombstone));
  const head = tombstone.head === null ? null : toBytes(tombstone.head);
  await runner.run(
    "UPDATE session_head SET head_seq = ?, head_hash = ?, deleted_ms = ? WHERE session_key = ?",
    [tombstone.entries, head, toMs(tombstone.deletedAt), key],
  );
  await writeTombstoneHashes(runner, key, tombstone.hashes);
}

async function findPart(runner: SqlRunner, { knownAs, hashes }: Tombstone): Promise<number | undefined> {
  for (const { session, entries, head, deletedAt } of await readRelatives(runner, [knownAs])) {
    const end = entries * (keptHashLength / 2);
    const kept = toHex(hashes.subarray(end - keptHashLength / 2, end));
    if (deletedAt !== null && kept !== "" && isSameHash(kept, head))
      return (await readStored(runner, session))?.key;
  }
  return undefined;
}

async function insert(runner: SqlRunner, guard: Guard, tombstone: Tombstone): Promise<number> {
  const { knownAs, client, startedAt, machine, project, entries } = tombstone;
  const id = await chooseId(runner, tombstone);
  const startedMs = toMs(startedAt);
  await insertSession(runner, {
    ...{ id, client, clientSessionId: null, cwd: "", branch: null, machine, startedMs },
    ...{ forkedFrom: null, baseKey: null, baseSeq: 0, baseHash: null, leaf: null, leafStrand: null },
    projectKey: await takeProject(runner, guard, project),
    facts: startFacts(startedMs, null),
  });
  await noteOrigin(runner, id, { knownAs, machine, seq: entries, begun: "elsewhere" });
  return (await readStored(runner, id))?.key ?? 0;
}

/** The id itself, unless it is another's here. */
async function chooseId(runner: SqlRunner, { knownAs, head }: Tombstone): Promise<SessionId> {
  return (await readStored(runner, knownAs)) === undefined ? knownAs : goneId(knownAs, head);
}

function goneId(id: SessionId, head: string | null): SessionId {
  const end = `-gone-${(head ?? sha256(id)).slice(0, 12)}`;
  return parseSessionId(`${id.slice(0, 128 - end.length)}${end}`);
}

/** Makes a deleted session one that other stores have never heard of, so that nothing is deleted there because of it. */
export async function forgetName(runner: SqlRunner, { key, session }: StoredSession): Promise<void> {
  await runner.run(
    `INSERT INTO replica (session_key, known_as, machine, seq, begun_here) VALUES (?, ?, ?, ?, 1)
     ON CONFLICT (session_key) DO UPDATE SET known_as = excluded.known_as`,
    [key, goneId(session.id, session.head), session.machine, session.entries],
  );
}
