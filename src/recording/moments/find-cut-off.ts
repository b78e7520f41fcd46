import type { LiveSessions } from "../../clients/claude-code/live-sessions.ts";
import { locateRoot } from "../../git/locate-root.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { Session } from "../../sessions/session.ts";

/** Where a session is looked for that was cut off. */
export interface CutOffSite {
  readonly log: ConversationLog;
  /** Which sessions are in use. */
  readonly live: LiveSessions;
  readonly machine: string;
}

/** How many of the newest sessions are looked through for one of the same folder. */
const most = 50;

/**
 * Returns the last session before another one in a work tree, if it was cut off there: its client is gone, and no hook
 * told of an end.
 */
export async function findCutOff(
  { log, live, machine }: CutOffSite,
  root: string,
  than: string,
): Promise<Session | undefined> {
  const { sessions } = await log.list({ client: "claude-code", limit: most });
  for (const session of sessions) {
    if (session.id === than || session.machine !== machine) continue;
    const own = await locateRoot(session.cwd).catch(() => undefined);
    if (own === root) return isCutOff(live, session) ? session : undefined;
  }
  return undefined;
}

/** One whose client is gone is settled only at the end of a sync. */
function isCutOff(live: LiveSessions, { id, status }: Session): boolean {
  if (status !== "open") return status === "interrupted";
  return live !== undefined && live.get(id) !== "alive";
}
