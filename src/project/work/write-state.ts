import type { Blocker } from "../../work/blockers/blocker.ts";
import { toWireBlocker } from "../../work/state/render-work-state.ts";
import { type ChangedState, changeState } from "../../work/state/state-store.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import type { WorkDesk } from "./work-desk.ts";

/**
 * Writes a state that was made of what was read before; `known` is the blocker that was read.
 *
 * A blocker that somebody has put down, or resolved, meanwhile stays so.
 */
export function writeState(
  { site }: WorkDesk,
  state: WorkState,
  known: Blocker | null | undefined,
): Promise<ChangedState> {
  return changeState(site.root, site.clock.now(), (found) => {
    if (found.type !== "state") return state;
    const { blocker, blockerResolvedAt } = found.state;
    const isOurs = describe(blocker) === describe(known ?? null);
    return { ...state, blocker: isOurs ? state.blocker : blocker, blockerResolvedAt };
  });
}

/** In one form, whether it was read or made. */
function describe(blocker: Blocker | null): string {
  return JSON.stringify(blocker && toWireBlocker(blocker));
}
