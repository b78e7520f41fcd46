import type { EntryId } from "../sessions/ids.ts";

/** How much of an id is enough to name a checkpoint: its end, because the beginning is the time. */
const shownId = 12;

/** Returns as much of the id of a checkpoint as names it. */
export function shortenCheckpoint(id: EntryId): string {
  return id.slice(-shownId);
}
