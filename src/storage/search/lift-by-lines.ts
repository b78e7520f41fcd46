import type { SessionId } from "../../sessions/ids.ts";
import type { SearchRequest } from "../../sessions/search-index.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { placeOf } from "./read-behind.ts";
import { countInTexts, type Scale, type ScoredEntry, scoreOf } from "./score.ts";
import { placeholders } from "./search-dialect.ts";

/** Lines are asked for of so many sessions: those of the best entries. */
const mostSessions = 12;
/** How much of the score of a line an entry gets that the line comes from. */
const lineShare = 0.7;

/** Lifts entries to a share of the score of the lines that come from them; those of entries that were not found find nothing. */
export async function liftByLines(
  runner: SqlRunner,
  found: readonly ScoredEntry[],
  { scale, linesOf }: { readonly scale: Scale; readonly linesOf: SearchRequest["linesOf"] },
): Promise<readonly ScoredEntry[]> {
  if (linesOf === undefined || found.length === 0) return found;
  const keys = [...new Set(found.map(({ sessionKey }) => sessionKey))].slice(0, mostSessions);
  const rows = await runner.all(
    `SELECT s.key, s.id FROM session s JOIN session_head h ON h.session_key = s.key
     WHERE h.deleted_ms IS NULL AND s.key IN (${placeholders(keys)})`,
    keys,
  );
  const lifted = new Map<string, number>();
  const sessions = new Map(rows.map(([key, id]) => [id as SessionId, key as number]));
  for (const { session, seqs, texts } of await linesOf([...sessions.keys()])) {
    const length = texts[0]?.length ?? 0;
    const score = lineShare * scoreOf({ voice: "summary", length, ...countInTexts(texts, scale) }, scale);
    for (const seq of seqs) {
      const place = placeOf({ sessionKey: sessions.get(session) ?? 0, seq });
      lifted.set(place, Math.max(score, lifted.get(place) ?? 0));
    }
  }
  return found.map((entry) => ({
    ...entry,
    score: Math.max(entry.score, lifted.get(placeOf(entry)) ?? 0),
  }));
}
