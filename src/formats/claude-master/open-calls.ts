import type { Entry, NewEntry } from "../../sessions/entry.ts";
import { runEvents } from "../../sessions/run-events.ts";

/** Returns the calls of a worker that have no result, and of each whether it was begun. */
export function listOpenCalls(entries: readonly (Entry | NewEntry)[]): ReadonlyMap<string, boolean> {
  const open = new Map<string, boolean>();
  for (const entry of entries) if (entry.strand !== "instructor") follow(open, entry);
  return open;
}

function follow(open: Map<string, boolean>, entry: Entry | NewEntry): void {
  if (entry.kind === "event" && entry.event === runEvents.callStarted) {
    const call = `${entry.data.call}`;
    if (open.has(call)) open.set(call, true);
  }
  if (entry.kind !== "message") return;
  for (const part of entry.parts) {
    if (part.type === "tool-call") open.set(part.call, false);
    if (part.type === "tool-result") open.delete(part.call);
  }
}
