import type { SessionId } from "../../sessions/ids.ts";
import type { SyncSite } from "./sync-site.ts";

/** How long a living client is waited for: it writes its transcript a moment after it acts, and not always in order. */
const dueMs = 10_000;

/** Tells whether the client of a session may be about to write what belongs to something that it did at a moment. */
export function isWriting({ live, now }: SyncSite, session: SessionId, didAt: Date): boolean {
  return live?.get(session) === "alive" && now.getTime() - didAt.getTime() < dueMs;
}
