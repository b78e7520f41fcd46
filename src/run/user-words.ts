import { type Entry, messageText } from "../conversation/entry.ts";
import { isMergedId } from "../conversation/merge/merged-id.ts";
import { runEvents } from "../conversation/run-events.ts";
import { runNotes } from "./prompts.ts";
import { instructorStrand } from "./run-state.ts";

/** Something that the user said to the instructor. */
export interface UserWords {
  /** Its number in the session. */
  readonly seq: number;
  readonly text: string;
}

const notes: readonly string[] = [runNotes.goOn, runNotes.unclear("")];

/** Returns what the user said in a run: the task, and what was added when it was resumed. */
export function listUserWords(entries: readonly Entry[]): readonly UserWords[] {
  let isHeard = false;
  return entries
    .filter(({ id }) => !isMergedId(id))
    .flatMap((entry) => {
      if (entry.kind === "event")
        isHeard = entry.event === runEvents.started || entry.event === runEvents.resumed;
      if (entry.kind !== "message" || entry.strand !== instructorStrand) return [];
      // The program itself says something to an instructor that has nothing to answer.
      isHeard = isHeard && entry.role === "user" && !notes.some((note) => messageText(entry).endsWith(note));
      return isHeard ? [{ seq: entry.seq, text: messageText(entry) }] : [];
    });
}
