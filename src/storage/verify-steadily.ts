import type { Verification } from "../sessions/conversation-log.ts";
import type { StoredSession } from "./session-row.ts";

/**
 * Verifies a session, and looks again before it reports something while the session has grown under it.
 *
 * A scrub stores what it replaces together with the note that vouches for it, but they are read at several moments. One
 * transaction for all of them would keep a scrub from emptying the WAL for as long as a large session takes.
 */
export async function verifySteadily(
  read: () => Promise<StoredSession>,
  verify: (stored: StoredSession) => Promise<Verification>,
): Promise<Verification> {
  let stored = await read();
  let found = await verify(stored);
  while (found.problem !== null) {
    const now = await read();
    if (now.session.head === stored.session.head) return found;
    const again = await verify(now);
    // Damage stays where it is, however fast others append.
    if (isSame(again.problem, found.problem)) return again;
    stored = now;
    found = again;
  }
  return found;
}

function isSame(one: Verification["problem"], other: Verification["problem"]): boolean {
  return one?.seq === other?.seq && one?.reason === other?.reason;
}
