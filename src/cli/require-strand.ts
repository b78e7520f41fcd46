import { AppError } from "../lib/app-error.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { SessionId, Strand } from "../sessions/ids.ts";

/** Refuses a strand on which a session has no entries, and names those that it has. */
export async function requireStrand(log: ConversationLog, session: SessionId, strand: Strand): Promise<void> {
  for await (const _ of log.read(session, { strand })) return;
  const strands = new Set<Strand>();
  for await (const entry of log.read(session)) strands.add(entry.strand);
  throw new AppError(`Session ${session} has no entries on the strand ${strand}.`, {
    kind: "usage",
    code: "strand-not-found",
    hint: strands.size === 0 ? "It has no entries at all." : `It has entries on: ${[...strands].join(", ")}`,
  });
}
