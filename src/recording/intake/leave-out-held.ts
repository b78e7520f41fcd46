import type { Absorbed } from "../../clients/claude-code/to-entries.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { Ingestion } from "../../sessions/ingestion.ts";

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
