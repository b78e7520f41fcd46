import { type Clock, systemClock } from "../lib/clock.ts";
import { findRun } from "../sessions/find-run.ts";
import type { SessionId } from "../sessions/ids.ts";
import { workTools } from "../tools/open-toolbox.ts";
import { openProject, type Surroundings } from "../workspace/open-project.ts";
import { noSuchRound } from "./no-such-round.ts";
import { type DryReplay, replayRecord } from "./replay/replay-record.ts";

export interface DryReplayRequest extends Surroundings {
  /** An id, the beginning of one, a title, or `latest`; the latest run of the project unless given. */
  readonly session?: string;
  /** The first round that is gone through; all of them unless given. */
  readonly fromRound?: number;
  readonly clock?: Clock;
}

/** What came of it, and of which run. */
export interface DryReplayed extends DryReplay {
  readonly session: SessionId;
}

/**
 * Goes through a run again without a model and without effects, and tells where the program of today does something else
 * than what was recorded. The same run gives the same answer.
 */
export async function replayDry(request: DryReplayRequest): Promise<DryReplayed> {
  const { session: text, fromRound = 1, clock = systemClock } = request;
  const here = await openProject(request, "read");
  try {
    const { log } = here.store;
    const session = await findRun(log, text, { project: here.project?.id, now: clock.now() });
    const entries = await Array.fromAsync(log.read(session.id));
    const replay = await replayRecord(entries, { fromRound, tools: workTools });
    if (replay === undefined) throw noSuchRound(session.id, fromRound - 1);
    return { session: session.id, ...replay };
  } finally {
    await here[Symbol.asyncDispose]();
  }
}
