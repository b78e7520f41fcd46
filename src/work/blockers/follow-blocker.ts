import { findSavedTasks } from "../find-tasks.ts";
import { changeStatusOf } from "../tasks/change-status.ts";
import type { WorkDesk } from "../work-desk.ts";
import type { WorkState } from "../work-state.ts";

/** Brings the status of a state's change up to its blocker. */
export async function followBlocker(desk: WorkDesk, state: WorkState): Promise<WorkState> {
  if (state.change === null) return state;
  const { change } = await findSavedTasks(desk, state);
  const known = { isBlocked: state.blocker !== null, before: state.changeStatus };
  return change === undefined ? state : { ...state, changeStatus: changeStatusOf(change, known) };
}
