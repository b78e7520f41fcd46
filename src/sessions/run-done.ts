import { type AppError, usageError } from "../lib/app-error.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { SessionId } from "./ids.ts";
import type { Session } from "./session.ts";

/** After the end there may be titles and tags. */
const newest = 20;

/** Tells whether a run has ended because its task is done, from its newest entries: a list of runs must not read all of them. */
export async function isRunDone(
  log: Pick<ConversationLog, "read">,
  { id, entries }: Pick<Session, "id" | "entries">,
): Promise<boolean> {
  let isDone = false;
  for await (const entry of log.read(id, { from: Math.max(1, entries - newest + 1) })) {
    if (entry.kind !== "event") continue;
    if (entry.event === "ended") isDone = entry.data.reason === "done";
    if (entry.event === "resumed" || entry.event === "interrupted") isDone = false;
  }
  return isDone;
}

export function runDone(session: SessionId): AppError {
  return usageError("run-done", `The task of ${session} is done.`, {
    hint: `Say what is to be done further: \`carryon run --resume --session ${renderShellWord(session)} "MORE"\``,
  });
}
