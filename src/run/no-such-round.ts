import { type AppError, usageError } from "../lib/app-error.ts";
import type { SessionId } from "../sessions/ids.ts";

/** Says that a run has not come to the end of a round. */
export function noSuchRound(session: SessionId, round: number): AppError {
  return usageError("no-such-round", `${session} has no finished round ${round}.`, {
    hint: `See its rounds with \`carryon show ${session}\`.`,
  });
}
