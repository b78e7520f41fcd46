import type { Blocker } from "../../work/blockers/blocker.ts";
import { toWireBlocker } from "../../work/state/render-work-state.ts";
import { type ChangedState, changeState } from "../../work/state/state-store.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import type { WorkDesk } from "./work-desk.ts";

/**
 * Writes a state that is made of what is there at that moment; `known` is what was read before.
 *
 * A blocker that somebody has put down, or resolved, meanwhile stays so.
 */
export function writeState(
  { site }: WorkDesk,
  known: WorkState | undefined,
  make: (latest: WorkState | undefined) => Promise<WorkState>,
): Promise<ChangedState> {
  return changeState(site.root, site.clock.now(), async (found) => {
    const state = await make(found.type === "state" ? found.state : known);
    if (found.type !== "state") return state;
    const { blocker, blockerResolvedAt } = found.state;
    const isOurs = describe(blocker) === describe(known?.blocker ?? null);
    return { ...state, blocker: isOurs ? state.blocker : blocker, blockerResolvedAt };
  });
}

/** In one form, whether it was read or made. */
function describe(blocker: Blocker | null): string {
  return JSON.stringify(blocker && toWireBlocker(blocker));
}
