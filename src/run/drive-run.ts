import type { Clock } from "../lib/clock.ts";
import type { Entry } from "../sessions/entry.ts";
import { nextStep } from "./next-step.ts";
import { type PlannedResume, planResume, type ResumeWishes } from "./plan-resume.ts";
import { instructorPrompt } from "./prompts.ts";
import { copyRun, type RunDesk, type RunOutcome } from "./run.ts";
import type { RunConfig } from "./run-config.ts";
import { type RunOrder, RunRecord, resumed, started, stopped } from "./run-entries.ts";
import { costSoFar } from "./run-state.ts";
import { type Accounts, remainingLimits } from "./spent.ts";
import { takeStep } from "./take-step.ts";

/** Begins a run. Its session is there as soon as this returns. */
export async function beginRun(desk: RunDesk, config: RunConfig, order: RunOrder): Promise<RunRecord> {
  const record = new RunRecord(desk.target, desk);
  await record.append(started(config, instructorPrompt(config.workDir), order));
  return record;
}

/** A run that goes on, and how. */
export interface ResumedRun {
  readonly record: RunRecord;
  readonly plan: PlannedResume;
}

/** Goes on with a run from what the log has of it. */
export async function resumeRun(
  desk: RunDesk,
  entries: AsyncIterable<Entry>,
  wishes: ResumeWishes,
): Promise<ResumedRun> {
  const record = new RunRecord(desk.target, desk);
  for await (const entry of entries) record.take(entry);
  const plan = planResume(record.state, wishes, { now: desk.clock.now() });
  await record.append(resumed(plan));
  return { record, plan };
}

/**
 * Drives a run until it has nothing more to do, and gives its session back.
 *
 * Whatever ends it, an abort, a model that fails or a full disk, what was told as saved is on disk, and the run can be
 * resumed; the reason is thrown.
 */
export async function driveRun(desk: RunDesk, record: RunRecord, signal: AbortSignal): Promise<RunOutcome> {
  try {
    const outcome = await takeSteps(desk, record, signal);
    await record.append([stopped("ended", outcome.reason)]);
    const uncopied = await copyRun(desk);
    return { ...outcome, ...(uncopied === undefined ? {} : { uncopied }) };
  } catch (error) {
    // What went wrong is what counts: that this cannot be noted, or copied, follows from it more often than not.
    await record.append([stopped("interrupted", describe(error))]).catch(() => undefined);
    await copyRun(desk);
    throw error;
  } finally {
    await desk.target.release();
  }
}

async function takeSteps(desk: RunDesk, record: RunRecord, signal: AbortSignal): Promise<RunOutcome> {
  for (;;) {
    signal.throwIfAborted();
    const step = nextStep(record.state, { now: desk.clock.now() });
    if (step.type === "stop") {
      const { phase, rounds } = record.state;
      const summary = phase.type === "done" ? phase.summary : undefined;
      const cost = costSoFar(record.state);
      const known = cost === undefined ? {} : { cost };
      return { session: desk.target.session, reason: step.reason, rounds, summary, ...known };
    }
    const time = { state: record.state, clock: desk.clock };
    await withinTime(time, signal, (stop) => takeStep(askingUntil(desk, stop), record, step, stop));
  }
}

/** Nothing is begun after the stop, although it was allowed. */
function askingUntil(desk: RunDesk, stop: AbortSignal): RunDesk {
  const approve: RunDesk["approve"] = async (asked) => {
    const isAllowed = await desk.approve(asked);
    stop.throwIfAborted();
    return isAllowed;
  };
  return { ...desk, approve };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Is the reason of the abort when the time of a run is used up. It is caught here. */
class TimeUp extends Error {}

/** How often the clock is looked at: one that is set forward, or a machine that slept, must be noticed. */
const lookAgainMs = 250;

/** What the time of a run is measured by. */
interface Timing {
  readonly state: Accounts;
  readonly clock: Clock;
}

/**
 * Does a step of a run, and stops what is in flight when the time that was granted is used up, as an abort by the user
 * does. Returns then too: what happens next is found from what was recorded.
 */
async function withinTime(
  { state, clock }: Timing,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (state.limits.seconds === null) return work(signal);
  const up = new AbortController();
  const look = () => {
    const left = 1000 * (remainingLimits(state, { now: clock.now() }).seconds ?? 0);
    if (left <= 0) up.abort(new TimeUp("The limit of time is reached."));
    else timer = setTimeout(look, Math.min(left, lookAgainMs));
  };
  let timer = setTimeout(look, 0);
  try {
    await work(AbortSignal.any([signal, up.signal]));
  } catch (error) {
    if (!(error instanceof TimeUp)) throw error;
  } finally {
    clearTimeout(timer);
  }
}
