import type { TranscriptState } from "../../clients/claude-code/transcript-state.ts";
import { listAll } from "../../sessions/list-all.ts";
import type { Session } from "../../sessions/session.ts";
import { noNotes, readHookNotes } from "./hook-notes.ts";
import { makeStop } from "./stop-entry.ts";
import type { SyncSite } from "./sync-site.ts";

/** Says of sessions whose client is gone how they ended. */
export async function settleSessions(site: SyncSite): Promise<void> {
  const open: Session[] = [];
  for await (const session of listAll(site.log, { client: "claude-code", status: "open" }))
    open.push(session);
  for (const session of open) if (session.machine === site.machine) await settle(site, session);
}

async function settle(site: SyncSite, { id: session, updatedAt }: Session): Promise<void> {
  const standing = { session, updatedAt, turn: null, notes: noNotes };
  // Most that are open go on; how the others stood is looked up only for them.
  if (makeStop(site, standing) === undefined) return;
  const { notes } = await readHookNotes(site.ingestion, session);
  const states = (await site.ingestion.states(session)).map(
    (state): Partial<TranscriptState> => JSON.parse(state),
  );
  const turn = states.find(({ agent, facts }) => agent === null && facts !== undefined)?.facts?.turn ?? null;
  const stop = makeStop(site, { ...standing, notes, turn });
  if (stop !== undefined) await site.log.append(session, [stop]);
}
