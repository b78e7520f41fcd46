import type { Seen } from "../../clients/claude-code/read-observation.ts";
import type { Turn } from "../../clients/claude-code/read-turn.ts";
import type { TranscriptState } from "../../clients/claude-code/transcript-state.ts";
import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { InboxItem } from "../../sessions/inbox.ts";
import type { HookNotes } from "./hook-notes.ts";
import { judgeEnd } from "./judge-status.ts";
import type { SyncSite } from "./sync-site.ts";

/** What is known of a session besides the items that are read. */
interface Known {
  readonly session: SessionId;
  readonly notes: HookNotes;
  /** What hooks saw that is in no transcript. */
  readonly seen: readonly Seen[];
}

/** Returns how a session ended, for each item that tells of an end: in its own time, or cut off in a turn. */
export async function readEnds(
  site: SyncSite,
  items: readonly InboxItem[],
  { session, notes, seen }: Known,
): Promise<ReadonlyMap<InboxItem, "ended" | "interrupted">> {
  const ends = items.filter(({ event }) => event === "SessionEnd");
  if (ends.length === 0) return new Map();
  const turn = await readTurn(site, session);
  const isLost = seen.some(({ entry }) => entry.kind === "event" && entry.event === "prompt-seen");
  return new Map(
    ends.map((item) => {
      const before = items[items.indexOf(item) - 1]?.event ?? notes.last?.event ?? null;
      const fields = isJsonObject(item.payload) ? item.payload : {};
      const reason = textOf(fields, "reason") ?? null;
      return [item, judgeEnd({ reason, lastEvent: before, turn: isLost ? "running" : turn })] as const;
    }),
  );
}

/** Returns where the turn of a session stands, as its transcript says. */
async function readTurn({ ingestion }: SyncSite, session: SessionId): Promise<Turn | null> {
  const states = (await ingestion.states(session)).map(
    (state): Partial<TranscriptState> => JSON.parse(state),
  );
  return states.find(({ agent, facts }) => agent === null && facts !== undefined)?.facts?.turn ?? null;
}
