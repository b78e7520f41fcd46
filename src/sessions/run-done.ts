import { type AppError, usageError } from "../lib/app-error.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Entry } from "./entry.ts";
import type { SessionId } from "./ids.ts";
import { isMergedId } from "./merged-id.ts";
import type { Session } from "./session.ts";

/** How far a run has come, and why it stopped. */
export interface RunEnd {
  /** The rounds that it has finished. */
  readonly rounds: number;
  /** What it ended for, such as `done` or the limit that was reached; undefined while it goes on or where it was cut off. */
  readonly reason: string | undefined;
}

/** After the end there may be titles and tags. */
const newest = 20;

/** Tells how far a run has come, from its newest entries back to its last round: a list of runs must not read all of them. */
export async function readRunEnd(
  log: Pick<ConversationLog, "read">,
  { id, entries }: Pick<Session, "id" | "entries">,
): Promise<RunEnd> {
  for (let count = newest; ; count *= 8) {
    let end: RunEnd = { rounds: 0, reason: undefined };
    for await (const entry of log.read(id, { from: Math.max(1, entries - count + 1) }))
      end = follow(end, entry);
    if (end.rounds > 0 || count >= entries) return end;
  }
}

function follow(end: RunEnd, entry: Entry): RunEnd {
  if (entry.kind === "round") return isMergedId(entry.id) ? end : { ...end, rounds: entry.number };
  if (entry.kind !== "event") return end;
  if (entry.event === "ended") return { ...end, reason: String(entry.data.reason) };
  return entry.event === "resumed" || entry.event === "interrupted" ? { ...end, reason: undefined } : end;
}

/** Tells whether a run has ended because its task is done. */
export async function isRunDone(...run: Parameters<typeof readRunEnd>): Promise<boolean> {
  return (await readRunEnd(...run)).reason === "done";
}

export function runDone(session: SessionId): AppError {
  return usageError("run-done", `The task of ${session} is done.`, {
    hint: `Say what is to be done further: \`carryon run --resume --session ${renderShellWord(session)} "MORE"\``,
  });
}
