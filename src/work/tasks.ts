import type { TaskLists } from "./work-state.ts";

/** One thing to do, and how far it has come. */
export interface Task {
  readonly text: string;
  /** A current one is what is being done at the moment; only lists of clients know it. */
  readonly state: "open" | "current" | "done";
}

/** What is done and what is left, in the order of the list. A text that stands there twice counts twice. */
export interface Tasks extends TaskLists {
  readonly next: string | undefined;
  /** What was left out on the way to what is done; only what stands before the next one. */
  readonly skipped: readonly string[];
}

const isDone = ({ state }: Task) => state === "done";
const isPending = ({ state }: Task) => state !== "done";
const textOf = ({ text }: Task) => text;

/** Returns what a list of tasks says: the next one is the current, else the first open one after the last that is done. */
export function toTasks(tasks: readonly Task[]): Tasks {
  const lastDone = tasks.findLastIndex(isDone);
  const next = findNext(tasks, lastDone);
  const passed = tasks.slice(0, Math.max(0, Math.min(next, lastDone)));
  return {
    completed: tasks.filter(isDone).map(textOf),
    pending: tasks.filter(isPending).map(textOf),
    next: tasks[next]?.text,
    skipped: passed.filter(isPending).map(textOf),
  };
}

function findNext(tasks: readonly Task[], lastDone: number): number {
  const current = tasks.findIndex(({ state }) => state === "current");
  if (current >= 0) return current;
  const after = tasks.findIndex((task, index) => index > lastDone && isPending(task));
  return after >= 0 ? after : tasks.findIndex(isPending);
}
