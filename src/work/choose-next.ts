import type { Tasks } from "./tasks.ts";
import type { WorkState } from "./work-state.ts";

/** What a state says of the tasks. */
type SavedTasks = Pick<WorkState, "nextSteps" | "completed" | "pending">;

/** How many of the tasks that are left are next steps, where nobody has named any. */
const mostSteps = 3;

/** Returns what comes next after a state. What somebody has said comes next holds until another task is done. */
export function chooseNext(state: SavedTasks, tasks: Tasks): string | undefined {
  const [said] = state.nextSteps;
  const holds = tasks.completed.length === state.completed.length && isLeft(state, tasks, said);
  if (holds) return said;
  const isOpen = (text: string | undefined) => text !== undefined && !tasks.completed.includes(text);
  return tasks.next ?? [said, state.pending[0]].find(isOpen);
}

/** A step that is none of the tasks is left as long as nobody says otherwise. */
function isLeft({ pending }: SavedTasks, tasks: Tasks, step: string | undefined): boolean {
  if (step === undefined || tasks.completed.includes(step)) return false;
  return tasks.pending.includes(step) || tasks.next === undefined || !pending.includes(step);
}

/** Returns the next steps of a save for which nobody names any: those named before, while they hold, else the next tasks. */
export function chooseSteps(before: SavedTasks | undefined, tasks: Tasks): readonly string[] {
  const usual = stepsFrom(tasks.pending, tasks.next);
  if (before === undefined || chooseNext(before, tasks) !== before.nextSteps[0]) return usual;
  // The same tasks would have given the same steps.
  const isNamed = isSame(before.pending, tasks.pending) || !isSame(before.nextSteps, usualOf(before));
  return isNamed ? before.nextSteps.filter((step) => isLeft(before, tasks, step)) : usual;
}

function usualOf({ nextSteps, pending }: SavedTasks): readonly string[] {
  return nextSteps[0] !== undefined && pending.includes(nextSteps[0]) ? stepsFrom(pending, nextSteps[0]) : [];
}

function stepsFrom(pending: readonly string[], first: string | undefined): readonly string[] {
  const start = first === undefined ? 0 : Math.max(0, pending.indexOf(first));
  return pending.slice(start, start + mostSteps);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
