import type { Turn } from "../../clients/claude-code/read-turn.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import type { EntryId, SessionId } from "../../sessions/ids.ts";
import { hookStrand } from "../../sessions/observations.ts";
import { stopped } from "../../sessions/session-events.ts";
import type { HookNotes } from "./hook-notes.ts";
import { judgeStatus } from "./judge-status.ts";
import type { SyncSite } from "./sync-site.ts";

/** What a session is judged by. */
export interface Standing {
  readonly session: SessionId;
  readonly updatedAt: Date;
  readonly turn: Turn | null;
  readonly notes: HookNotes;
}

/**
 * Makes the entry that says how a session ended of whose end nobody has told; undefined while its client may go on.
 *
 * It stands right after what was said last, so that whatever is said or told later counts more.
 */
export function makeStop({ live, now }: SyncSite, standing: Standing): NewEntry | undefined {
  const { session, updatedAt, turn, notes } = standing;
  const listed = live === undefined ? undefined : (live.get(session) ?? "unlisted");
  const status = judgeStatus({ listed, updatedAt, now, turn, lastEvent: notes.last?.event ?? null });
  if (status === "open") return undefined;
  const id = `judged-${status}-${updatedAt.getTime()}` as EntryId;
  return { ...stopped(id, new Date(updatedAt.getTime() + 1), status), strand: hookStrand };
}
