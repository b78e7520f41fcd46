import type { ConversationLog } from "./conversation-log.ts";
import { runEvents } from "./entry.ts";
import type { SessionId } from "./ids.ts";
import { fieldOf } from "./tool-runs.ts";

/** Returns the session that another one says to do over with its first entry; undefined where it says nothing. */
export async function findReplayed(
  log: Pick<ConversationLog, "read">,
  session: SessionId,
): Promise<string | undefined> {
  for await (const entry of log.read(session, { from: 1, to: 1 })) {
    if (entry.kind !== "event" || entry.event !== runEvents.started) return undefined;
    const replayed = fieldOf(entry.data.replays, "session");
    return typeof replayed === "string" ? replayed : undefined;
  }
  return undefined;
}
