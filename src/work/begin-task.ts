import { fold } from "../lib/markdown/fold.ts";
import { change } from "./change-blocker.ts";
import type { WorkDesk } from "./work-desk.ts";
import type { WorkState } from "./work-state.ts";

/** Begins with another task: the state that was saved stays in the log, and its tasks, change and blocker end. */
export function beginTask(desk: WorkDesk, task: string): Promise<WorkState> {
  const now = desk.site.clock.now();
  return change(desk, (state) => ({
    ...state,
    ...{ change: null, changeStatus: null, workingOn: fold(task), nextSteps: [], completed: [], pending: [] },
    ...{ blocker: null, blockerResolvedAt: now, tasksToldAt: now, savedAt: now },
  }));
}
