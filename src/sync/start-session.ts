import type { TranscriptFacts } from "../clients/claude-code/transcript-state.ts";
import { SessionConflict } from "../conversation/errors.ts";
import type { EntryId, SessionId } from "../conversation/ids.ts";
import type { SyncSite } from "./sync-site.ts";

/** Where and when a new session parts from another. */
export interface SharedUpTo {
  readonly session: SessionId;
  readonly entry: EntryId;
  readonly at: Date;
}

/** Tells whether a session of the client is in the store; one of somebody else with its id is a conflict. */
export async function isKnown({ log }: SyncSite, session: SessionId): Promise<boolean> {
  const [known] = (await log.list({ id: session })).sessions;
  if (known === undefined || known.client === "claude-code") return known !== undefined;
  throw new SessionConflict(session, `a session of ${known.client} has this id`);
}

/** Makes the session of a transcript. */
export async function startSession(
  { log, recognise, machine }: SyncSite,
  session: SessionId,
  facts: TranscriptFacts,
  shared: SharedUpTo | undefined,
): Promise<void> {
  const cwd = facts.cwd ?? "/";
  const start = { id: session, clientSessionId: session, cwd, branch: facts.branch, machine };
  if (shared !== undefined)
    await log.fork({ ...start, from: shared.session, at: shared.entry, startedAt: shared.at });
  else {
    const startedAt = new Date(facts.startedAt ?? 0);
    await log.open({ ...start, startedAt, client: "claude-code", project: (await recognise(cwd)).id });
  }
}
