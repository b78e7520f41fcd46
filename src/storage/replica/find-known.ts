import { chainStart } from "../../sessions/chain.ts";
import { parseSessionId, type SessionId } from "../../sessions/ids.ts";
import type { Known, PlacedForkPoint } from "../../sessions/replica.ts";
import { toHex } from "../entry-codec.ts";
import { readLineage } from "../lineage.ts";
import { readStored, type StoredSession } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { readCopyStart } from "./described-from.ts";

/** Returns what is known of a session, tombstones included. */
export async function findKnown(runner: SqlRunner, session: SessionId): Promise<Known | undefined> {
  const stored = await readStored(runner, parseSessionId(session));
  if (stored === undefined) return undefined;
  if (stored.deletedMs !== null) return { type: "deleted", at: new Date(stored.deletedMs) };
  const { id, client, clientSessionId, cwd, branch, machine, startedAt, entries, head } = stored.session;
  const { title } = stored.facts;
  const knownAs = await findKnownAs(runner, stored);
  const copyStart = await readCopyStart(runner, stored.key);
  return {
    type: "there",
    session: {
      ...(knownAs === id ? {} : { knownAs }),
      ...{ id, client, clientSessionId, cwd, branch, machine, startedAt, entries, head },
      project: { id: stored.session.project, name: stored.session.projectName },
      title: title.stamp.by === "" ? title.value : null,
      forkedFrom: await placeForkPoint(runner, stored),
      ...(copyStart !== null && { copyForkedFrom: await placeCopied(runner, stored, copyStart) }),
    },
  };
}

/** Returns the id by which other stores know a session. */
export async function findKnownAs(runner: SqlRunner, { key, session }: StoredSession): Promise<SessionId> {
  const rows = await runner.all("SELECT known_as FROM replica WHERE session_key = ?", [key]);
  return (rows[0]?.[0] ?? session.id) as SessionId;
}

/** A fork whose origin is not here has the entry at which it was forked among its own. */
async function placeForkPoint(runner: SqlRunner, stored: StoredSession): Promise<PlacedForkPoint | null> {
  const { forkedFrom } = stored.session;
  if (forkedFrom === null) return null;
  if (stored.baseKey !== null)
    return { ...forkedFrom, seq: stored.baseSeq, hash: stored.baseHash ?? chainStart };
  const rows = await runner.all("SELECT seq, hash FROM entry WHERE session_key = ? AND id = ?", [
    stored.key,
    forkedFrom.entry,
  ]);
  const [seq, hash] = rows[0] ?? [];
  return typeof seq === "number" ? { ...forkedFrom, seq, hash: toHex(hash) ?? chainStart } : null;
}

/** Returns where somebody forked the session that a copy is one of: among its origins, the one that begins there. */
async function placeCopied(
  runner: SqlRunner,
  stored: StoredSession,
  seq: number,
): Promise<PlacedForkPoint | null> {
  if (seq === 0) return null;
  for (const { session } of await readLineage(runner, stored)) {
    const origin = await readStored(runner, session);
    const point = origin && (await placeForkPoint(runner, origin));
    if (point?.seq === seq) return point;
  }
  return null;
}
