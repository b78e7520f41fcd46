import { releaseSession, sweepHeld } from "../../gates/held/release-held.ts";
import type { ClientSession } from "./client-session.ts";

/** Lets a session that somebody begins, or takes up again, go by what the files say now. */
export async function beginAnew({ home, session, clock }: ClientSession): Promise<void> {
  releaseSession({ home, session });
  sweepHeld(home, clock.now());
}
