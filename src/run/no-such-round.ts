import { AppError } from "../lib/app-error.ts";
import type { SessionId } from "../sessions/ids.ts";

/** Says that a run has not come to the end of a round. */
export function noSuchRound(session: SessionId, round: number): AppError {
  return new AppError(`${session} has no finished round ${round}.`, {
    ...{ kind: "usage", code: "no-such-round", hint: `See its rounds with \`carryon show ${session}\`.` },
  });
}
