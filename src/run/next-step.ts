import { countLastPrints, isStalled, mostSameCalls } from "./progress.ts";
import { runNotes } from "./prompts.ts";
import type { Deciding, OpenCall, Working } from "./run-phase.ts";
import type { RunState } from "./run-state.ts";
import { findSpentLimit, remainingRounds, type SpentLimit } from "./spent.ts";

/** Why a run has nothing more to do for now. All but `done` can be resumed as they are. */
export type StopReason = "done" | "rounds" | SpentLimit | "stalled" | "unclear";

/** What the caller is to do; this module does nothing itself. */
export type Action =
  | { readonly type: "ask-instructor" }
  /** The instructor has had the last word, and cannot be asked before somebody says something. */
  | { readonly type: "prompt-instructor"; readonly call: string | undefined; readonly text: string }
  | { readonly type: "tell-worker"; readonly instruction: string }
  | { readonly type: "ask-worker" }
  /** Calls that were begun and have no result: nobody knows what became of them. */
  | { readonly type: "close-calls"; readonly calls: readonly OpenCall[] }
  /** Calls that were not begun, and that nobody can make any more: what they were to be made with is lost. */
  | { readonly type: "return-calls"; readonly calls: readonly OpenCall[] }
  | { readonly type: "run-calls"; readonly calls: readonly OpenCall[] }
  | {
      readonly type: "finish-round";
      readonly number: number;
      readonly work: Working;
      readonly report: string;
    };

/** What happens next. */
export type Step = Action | { readonly type: "stop"; readonly reason: StopReason };

/** What counts beside the log. */
export interface Circumstances {
  readonly now: Date;
}

/** After so many replies without a use, or without a report, nobody can be helped by asking again. */
const [mostUnclear, mostReplies] = [3, 200];

/**
 * Computes what a run does next. Pure: the same state gives the same answer, whether it was reached in this process or
 * read from the log after the last one was killed.
 */
export function nextStep(state: RunState, circumstances: Circumstances): Step {
  const { phase } = state;
  switch (phase.type) {
    case "done":
      return { type: "stop", reason: "done" };
    case "deciding":
      return nextRuling(state, phase, circumstances);
    case "working":
      return nextWork(state, phase, circumstances);
  }
}

function nextRuling(state: RunState, phase: Deciding, circumstances: Circumstances): Step {
  if (phase.unclear >= mostUnclear) return { type: "stop", reason: "unclear" };
  if (isStalled(state.progress)) return { type: "stop", reason: "stalled" };
  const limit = findSpentLimit(state, circumstances);
  if (limit !== undefined) return { type: "stop", reason: limit };
  if (phase.isAsked) return { type: "ask-instructor" };
  const { objection } = phase;
  return {
    type: "prompt-instructor",
    call: objection?.call,
    text: objection === undefined ? runNotes.goOn : runNotes.unclear(objection.reason),
  };
}

function nextWork(state: RunState, work: Working, circumstances: Circumstances): Step {
  // The instructor has judged the last round by now: a task that is done is not left open for its limit.
  if (!work.isTold && remainingRounds(state) === 0) return { type: "stop", reason: "rounds" };
  const started = work.calls.filter(({ isStarted }) => isStarted);
  if (started.length > 0) return { type: "close-calls", calls: started };
  const lost = work.calls.filter(({ isRedacted }) => isRedacted);
  if (lost.length > 0) return { type: "return-calls", calls: lost };
  const report = work.report ?? findEnd(work);
  if (report !== undefined) return { type: "finish-round", number: state.rounds + 1, work, report };
  const limit = findSpentLimit(state, circumstances);
  if (limit !== undefined) return { type: "stop", reason: limit };
  if (!work.isTold) return { type: "tell-worker", instruction: work.ruling.instruction };
  return work.calls.length > 0 ? { type: "run-calls", calls: work.calls } : { type: "ask-worker" };
}

/** Returns what is reported of a worker that does not end by itself. */
function findEnd({ prints, replies, calls }: Working): string | undefined {
  const same = countLastPrints(prints);
  if (same >= mostSameCalls) return runNotes.looped(same);
  return replies >= mostReplies && calls.length === 0 ? runNotes.tooLong(replies) : undefined;
}
