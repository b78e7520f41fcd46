import { type Entry, type Message, messageText } from "../sessions/entry.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import { runEvents } from "../sessions/run-events.ts";
import { runNotes } from "./prompts.ts";
import { instructorStrand } from "./run-state.ts";

/** Something that the user said to the instructor. */
export interface UserWords {
  /** Its number in the session. */
  readonly seq: number;
  readonly text: string;
}

const notes: readonly string[] = [runNotes.goOn, runNotes.unclear("")];

/** Tells whether an instructor gets a ruling back, because the user has something to say: that follows. */
export function isWithdrawal({ strand, parts }: Message): boolean {
  const isNote = (part: Message["parts"][number]) =>
    part.type === "tool-result" && part.output === runNotes.withdrawn;
  return strand === instructorStrand && parts.some(isNote);
}

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
      if (isWithdrawal(entry)) return [];
      isHeard = isHeard && entry.role === "user" && !notes.some((note) => messageText(entry).endsWith(note));
      return isHeard ? [{ seq: entry.seq, text: messageText(entry) }] : [];
    });
}
