import { type Entry, messageText } from "../sessions/entry.ts";
import { runNotes } from "./prompts.ts";
import { parseReply } from "./ruling.ts";
import { instructorStrand } from "./run-state.ts";

/** How long what is told of a round, and all of it, may be. */
const [longest, most] = [600, 20_000];

/**
 * Returns what an instructor is told of a run that was merged into its own: the task, the rounds with their reports, the end.
 *
 * The talk itself is in the log; put into the middle of another one it would read as if this run had said it.
 */
export function describeMerged(entries: readonly Entry[]): string {
  const lines = entries.flatMap(describeEntry).map(cut);
  return `${runNotes.merged}\n\n${lines.join("\n")}`.slice(0, most).toWellFormed();
}

function describeEntry(entry: Entry): readonly string[] {
  if (entry.kind === "round") return [`Round ${entry.number} ends.`];
  if (entry.kind !== "message" || entry.strand !== instructorStrand || entry.interrupted === true) return [];
  switch (entry.role) {
    case "user":
      return [`The user: ${messageText(entry)}`];
    case "assistant": {
      const reply = parseReply(entry);
      if (reply.type === "unclear") return [];
      const { instruction, summary } = reply.ruling;
      return [summary === "" ? `Instruction: ${instruction}` : `The end: ${summary}`];
    }
    case "tool":
      return entry.parts.flatMap((part) =>
        part.type === "tool-result" && part.output !== runNotes.ended ? [`Report: ${part.output}`] : [],
      );
  }
}

function cut(line: string): string {
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
}
