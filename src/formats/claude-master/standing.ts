import type { NewEntry } from "../../sessions/entry.ts";
import { parseStrand } from "../../sessions/ids.ts";
import { fieldOf } from "../../sessions/tool-runs.ts";
import { makeEntry } from "../talk/make-entry.ts";
import type { SessionState } from "./session-state.ts";

const instructor = parseStrand("instructor");

/** Makes the entry that says how a run stands: nobody works on what was taken from a file. */
export function toStanding(state: SessionState, messages: readonly NewEntry[]): NewEntry {
  const isOver = isDone(state, messages);
  // What is said of a session counts by its time, and the messages have that of its beginning.
  const at = new Date(Math.max(Date.parse(state.lastUpdatedAt), Date.parse(state.createdAt) + 1));
  return makeEntry(
    state.sessionId,
    { strand: instructor, number: messages.length, at },
    {
      kind: "event",
      event: isOver ? "ended" : "interrupted",
      data: { reason: isOver ? "done" : "It was taken from a file." },
    },
  );
}

/** A task is done when its instructor said so last, and nobody has said anything since. */
function isDone({ lastInstructorResponse }: SessionState, messages: readonly NewEntry[]): boolean {
  if (lastInstructorResponse?.shouldContinue === false) return true;
  const last = messages.findLast(
    (entry) => entry.kind === "message" && entry.strand === instructor && entry.role !== "tool",
  );
  return (
    last?.kind === "message" &&
    last.parts.some((part) => part.type === "tool-call" && fieldOf(part.input, "shouldContinue") === false)
  );
}
