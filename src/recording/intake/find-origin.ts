import type { TranscriptFacts } from "../../clients/claude-code/transcript-state.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import { isName, type SessionId } from "../../sessions/ids.ts";
import type { Ingestion } from "../../sessions/ingestion.ts";

/** Of so many that have the first row is looked how much they share. */
const candidates = 50;

/**
 * Returns the session that a new one was forked from, if it is in the store: the one that its rows name, or else of those
 * that have its first row the one that has most of these entries. Of equals it is the first: the others are forks, too.
 *
 * The first row of a fork need not be that of its origin: after a compaction it is the summary, after a rewind to the
 * beginning another prompt.
 */
export async function findOrigin(
  ingestion: Ingestion,
  session: SessionId,
  { forkedFrom, leading }: TranscriptFacts,
  entries: readonly NewEntry[],
): Promise<SessionId | undefined> {
  const named = forkedFrom?.session;
  if (named !== undefined && named !== session && isName(named)) return named as SessionId;
  const first = entries.find(({ id }) => id === leading[0]);
  if (first === undefined) return undefined;
  const alike = await ingestion.sharing("claude-code", first.id, first.at);
  const ids = entries.map(({ id }) => id);
  let best: { readonly session: SessionId; readonly shared: number } | undefined;
  for (const each of alike.filter((id) => id !== session).slice(0, candidates)) {
    const shared = (await ingestion.held(each, ids)).length;
    if (best === undefined || shared > best.shared) best = { session: each, shared };
  }
  return best?.session;
}
