import { isUnderAgent } from "../is-under-agent.ts";
import { releaseSession, sweepHeld } from "../release-held.ts";
import type { ClientSession } from "./client-session.ts";

/**
 * Lets a session that somebody begins, or takes up again, go by what the files say now. One that an agent takes up again
 * goes on with what it was held to: it may be its own.
 */
export async function beginAnew({ home, session, clock, startedWith }: ClientSession): Promise<void> {
  const started = await startedWith?.();
  if (started === undefined || !isUnderAgent({ env: started })) releaseSession({ home, session });
  sweepHeld(home, clock.now());
}
