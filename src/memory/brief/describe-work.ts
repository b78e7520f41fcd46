import { percentOf, type WorkState } from "../../work/work-state.ts";

/** Returns what was saved of the work, in lines. */
export function describeWork(state: WorkState, madeOn: "this machine" | "another"): string {
  const { workingOn, completed, pending, nextSteps, branch, commit, refusedCommit } = state;
  const next = nextSteps[0] ?? pending[0];
  return [
    `Worked on: ${workingOn}`,
    ...describeProgress({ completed, pending }),
    ...(next === undefined ? [] : [`Next task: ${next}`]),
    ...(commit === null ? [] : [`Saved on ${branch ?? "a detached HEAD"} at ${commit}.`]),
    ...(refusedCommit === undefined ? [] : [describeRefused(refusedCommit)]),
    madeOn === "another"
      ? "`carryon load --restore` takes it, and `carryon load --resume` goes on from there."
      : "`carryon load --resume` goes on from there.",
  ].join("\n");
}

/** What a hook said is marked: it may read like anything. */
function describeRefused(refused: string): string {
  const [by, ...said] = refused.split("\n");
  return [
    `The commit of the last save was refused ${by}`,
    ...said.map((line) => `> ${line}`),
    "What it was to have is only in the work tree: mend that, and `carryon save`.",
  ].join("\n");
}

/** More than that say nothing to somebody who begins. */
const mostTasks = 10;

/** Returns the tasks, in lines. */
export function describeTasks(tasks: Pick<WorkState, "completed" | "pending">): string {
  const open = tasks.pending.slice(0, mostTasks).map((task) => `To do: ${task}`);
  const rest = tasks.pending.length - open.length;
  return [...describeProgress(tasks), ...open, ...(rest > 0 ? [`… and ${rest} more.`] : [])].join("\n");
}

function describeProgress({
  completed,
  pending,
}: Pick<WorkState, "completed" | "pending">): readonly string[] {
  const total = completed.length + pending.length;
  if (total === 0) return [];
  return [`Done: ${completed.length}/${total} tasks (${percentOf(completed.length, total)}%)`];
}
