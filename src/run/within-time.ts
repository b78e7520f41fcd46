import type { Clock } from "../lib/clock.ts";
import type { RunState } from "./run-state.ts";
import { countMs } from "./spent.ts";

/** Is the reason of the abort when the time of a run is used up. It is caught here. */
class TimeUp extends Error {}

/** How often the clock is looked at: one that is set forward, or a machine that slept, must be noticed. */
const lookAgainMs = 250;

/** What the time of a run is measured by. */
interface Timing {
  readonly state: Pick<RunState, "limits" | "spent">;
  readonly clock: Clock;
}

/**
 * Does a step of a run, and stops what is in flight when the time that was granted is used up, as an abort by the user
 * does. Returns then too: what happens next is found from what was recorded.
 */
export async function withinTime(
  { state, clock }: Timing,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { seconds } = state.limits;
  if (seconds === null) return work(signal);
  const up = new AbortController();
  const look = () => {
    const left = seconds * 1000 - countMs(state.spent, clock.now());
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
