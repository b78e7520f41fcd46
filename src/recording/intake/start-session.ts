import type { TranscriptFacts } from "../../clients/claude-code/transcript-state.ts";
import { SessionConflict } from "../../sessions/errors.ts";
import type { EntryId, SessionId } from "../../sessions/ids.ts";
import type { NewSession } from "../../sessions/session.ts";
import type { GivenSessions } from "./given-sessions.ts";
import type { SyncSite } from "./sync-site.ts";

/** Where and when a new session parts from another. */
interface SharedUpTo {
  readonly session: SessionId;
  readonly entry: EntryId;
  readonly at: Date;
}

/** Tells whether a session of the client is in the store; one of somebody else with its id is a conflict. */
export async function isKnown({ log, given }: SyncSite, session: SessionId): Promise<boolean> {
  const [known] = (await log.list({ id: session })).sessions;
  if (known === undefined || known.client === "claude-code") return known !== undefined;
  if (isGiven(given, session)) return true;
  throw new SessionConflict(session, `a session of ${known.client} has this id`);
}

/** Tells whether the client was given a session by Carryon. */
export function isGiven(given: GivenSessions, session: SessionId): boolean {
  return [...given.values()].includes(session);
}

/** Makes the session of a transcript that goes on from another. */
export async function forkSession(
  { log, machine }: SyncSite,
  session: SessionId,
  { cwd, branch }: TranscriptFacts,
  shared: SharedUpTo,
): Promise<void> {
  const start = { id: session, clientSessionId: session, cwd: cwd ?? "/", branch, machine };
  await log.fork({ ...start, from: shared.session, at: shared.entry, startedAt: shared.at });
}

/** Returns the session of a transcript as it is made with its first entries. */
export async function toStart(
  { recognise, machine }: SyncSite,
  session: SessionId,
  { cwd: told, branch, startedAt }: Pick<TranscriptFacts, "cwd" | "branch" | "startedAt">,
): Promise<NewSession> {
  const cwd = told ?? "/";
  return {
    ...{ id: session, clientSessionId: session, client: "claude-code", cwd, branch, machine },
    ...{ startedAt: new Date(startedAt ?? 0), project: (await recognise(cwd)).id },
  };
}
