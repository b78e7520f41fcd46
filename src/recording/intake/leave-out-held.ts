import { isAnnouncement } from "../../clients/claude-code/announcer.ts";
import { leaveOutCopies } from "../../clients/claude-code/copied-rows.ts";
import { isQueuedEntry } from "../../clients/claude-code/prompt-queue.ts";
import type { Absorbed } from "../../clients/claude-code/to-entries.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { Ingestion } from "../../sessions/ingestion.ts";

/** What a fork says at its beginning, before the rows that it shares. */
export function isBesides(entry: NewEntry): boolean {
  return isAnnouncement(entry) || isQueuedEntry(entry);
}

/** Tells whether an entry has a mark that 0.1.0 did not make: the one that it recorded stays as it is. */
export function isMarked(entry: NewEntry): boolean {
  return entry.kind === "message" && entry.echo === true;
}

/** Returns what was read without those of the meant entries that the session has, and how many these are. */
export async function leaveOutHeld(
  ingestion: Ingestion,
  session: SessionId,
  absorbed: Absorbed,
  isMeant: (entry: NewEntry) => boolean,
): Promise<{ readonly known: number; readonly rest: Absorbed }> {
  const meant = absorbed.entries.filter(isMeant).map(({ id }) => id);
  if (meant.length === 0) return { known: 0, rest: absorbed };
  const held = new Set(await ingestion.held(session, meant));
  const entries = absorbed.entries.filter(({ id }) => !held.has(id));
  const notes = absorbed.notes.filter((note) => note.type === "unknown" || !held.has(note.entry));
  return { known: held.size, rest: { ...absorbed, entries, notes } };
}

/** Returns what was read without the title that a session has already; what follows it follows its parent. */
export async function leaveOutTitle(
  log: Pick<ConversationLog, "list">,
  id: SessionId,
  absorbed: Absorbed,
): Promise<Absorbed> {
  if (!absorbed.entries.some(isAnnouncement)) return absorbed;
  const [session] = (await log.list({ id })).sessions;
  const known = absorbed.entries.flatMap((entry) =>
    isAnnouncement(entry) && entry.kind === "event" && entry.data.title === session?.title && entry.parent
      ? [[entry.id, entry.parent] as const]
      : [],
  );
  return leaveOutCopies(absorbed, new Map(known));
}
