import { plural } from "../lib/plural.ts";
import type { ConversationLog, Deletion } from "../sessions/conversation-log.ts";
import type { Session } from "../sessions/session.ts";
import type { CommandContext } from "./command-context.ts";

/** Deletes sessions one by one and says of each what is gone and what stays. */
export async function deleteSessions(
  context: CommandContext,
  log: ConversationLog,
  sessions: readonly Session[],
): Promise<void> {
  for (const session of sessions) {
    // What was added while the question was open is not what the answer was about.
    const deletion = await log.delete(session.id, context.clock.now(), { ifHead: session.head });
    context.err(`${describeDeletion(deletion)}\n`);
  }
}

function describeDeletion({ session, reclaimed, shared }: Deletion): string {
  const stays = shared === 0 ? "" : `, ${plural(shared, "entry", "entries")} kept for its forks`;
  return `Deleted ${session}: ${plural(reclaimed, "entry", "entries")} gone${stays}.`;
}
