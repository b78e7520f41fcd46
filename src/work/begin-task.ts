import { fold } from "../lib/markdown/fold.ts";
import { change } from "./change-blocker.ts";
import type { WorkDesk } from "./work-desk.ts";
import type { WorkState } from "./work-state.ts";

/** Begins with another task: the state that was saved stays in the log, and its tasks, change and blocker end. */
export function beginTask(desk: WorkDesk, task: string): Promise<WorkState> {
  const now = desk.site.clock.now();
  const empty = {
    change: null,
    changeStatus: null,
    nextSteps: [],
    completed: [],
    pending: [],
    unlisted: undefined,
  };
  const begun = { ...empty, workingOn: fold(task), blocker: null, savedAt: now };
  return change(
    desk,
    (state) => ({ ...state, ...begun }),
    () => ({ tasksToldAt: now, begunAt: now }),
  );
}
