import type { Entry, NewEntry } from "../sessions/entry.ts";
import { isMergeNote } from "../sessions/merged-id.ts";
import { runEvents } from "../sessions/run-events.ts";

const workEvents: ReadonlySet<string> = new Set([...Object.values(runEvents), "ended", "interrupted"]);

/** Tells whether an entry was made while its run worked: a title, or the note of a merge, may come long after. */
export function isWork(entry: Entry | NewEntry): boolean {
  if (entry.kind === "message" || entry.kind === "round") return true;
  return entry.kind === "event" && workEvents.has(entry.event) && !isMergeNote(entry.id);
}
