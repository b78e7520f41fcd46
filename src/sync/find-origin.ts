import type { TranscriptFacts } from "../clients/claude-code/transcript-state.ts";
import { type EntryId, isName, type SessionId } from "../conversation/ids.ts";
import type { Ingestion } from "../conversation/ingestion.ts";

/** Of so many that began with the same row is looked how much they share. */
const candidates = 50;

/**
 * Returns the session that a new one was forked from, if it is in the store: the one that its rows name, or else of those
 * that began with the same row the one that has most of these entries. Of equals it is the first: the others are forks, too.
 */
export async function findOrigin(
  ingestion: Ingestion,
  session: SessionId,
  { forkedFrom, leading }: TranscriptFacts,
  entries: readonly EntryId[],
): Promise<SessionId | undefined> {
  const named = forkedFrom?.session;
  if (named !== undefined && named !== session && isName(named)) return named as SessionId;
  const [first] = leading;
  if (first === undefined) return undefined;
  const alike = (await ingestion.beganWith("claude-code", first)).filter((each) => each !== session);
  let best: { readonly session: SessionId; readonly shared: number } | undefined;
  for (const each of alike.slice(0, candidates)) {
    const shared = (await ingestion.held(each, entries)).length;
    if (best === undefined || shared > best.shared) best = { session: each, shared };
  }
  return best?.session;
}
