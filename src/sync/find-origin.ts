import type { TranscriptFacts } from "../clients/claude-code/transcript-state.ts";
import { isName, type SessionId } from "../conversation/ids.ts";
import type { Ingestion } from "../conversation/ingestion.ts";

/**
 * Returns the session that a new one was forked from, if it is in the store: the one that its rows name, or else the
 * one that began with the same row.
 */
export async function findOrigin(
  ingestion: Ingestion,
  session: SessionId,
  { forkedFrom, leading }: TranscriptFacts,
): Promise<SessionId | undefined> {
  const named = forkedFrom?.session;
  if (named !== undefined && named !== session && isName(named)) return named as SessionId;
  const [first] = leading;
  if (first === undefined) return undefined;
  return (await ingestion.beganWith("claude-code", first)).find((each) => each !== session);
}
