import { SessionConflict, SessionWasDeleted } from "../sessions/errors.ts";
import { parseSessionId } from "../sessions/ids.ts";
import type { NewSession } from "../sessions/session.ts";
import { startFacts } from "../sessions/session-facts.ts";
import { toMs } from "./entry-codec.ts";
import type { Guard } from "./guard.ts";
import { insertSession } from "./insert-session.ts";
import { readStored, type StoredSession } from "./session-row.ts";
import type { SqlRunner } from "./sql-driver.ts";

/** Makes a session unless the same one was made before; runs inside the caller's transaction. */
export async function startSession(runner: SqlRunner, guard: Guard, session: NewSession): Promise<void> {
  const known = await readStored(runner, session.id);
  if (known !== undefined) return requireSame(known, isSameStart(known, session));
  const rows = await runner.all("SELECT key FROM project WHERE id = ?", [session.project]);
  if (rows[0] === undefined)
    throw new SessionConflict(session.id, `its project ${session.project} is not known`);
  const startedMs = toMs(session.startedAt);
  const { cwd, branch, title } = guard.redactStart(session);
  await insertSession(runner, {
    id: parseSessionId(session.id),
    facts: startFacts(startedMs, title ?? null),
    client: session.client,
    clientSessionId: session.clientSessionId ?? null,
    cwd,
    branch: branch ?? null,
    machine: session.machine,
    startedMs,
    projectKey: rows[0][0] as number,
    ...{ forkedFrom: null, baseKey: null, baseSeq: 0, baseHash: null, leaf: null, leafStrand: null },
  });
}

/** Throws unless a session that has the id is the one that was asked for, and there. */
export function requireSame(known: StoredSession, isSame: boolean): void {
  if (known.deletedMs !== null) throw new SessionWasDeleted(known.session.id);
  if (!isSame) throw new SessionConflict(known.session.id, "another session has this id");
}

function isSameStart(known: StoredSession, asked: NewSession): boolean {
  const { client, project, startedAt, forkedFrom } = known.session;
  return (
    client === asked.client &&
    project === asked.project &&
    forkedFrom === null &&
    startedAt.getTime() === asked.startedAt.getTime()
  );
}
