import type { Task } from "../digest.ts";
import { type Line, line } from "../line.ts";
import { clip } from "./clip.ts";
import { describeTask } from "./wrong-lines.ts";

/** Returns the tasks that are left, and the last ones that are done on one line. */
export function taskLines(tasks: readonly Task[]): readonly Line[] {
  const left = tasks.filter(({ state }) => state !== "done");
  const done = tasks.filter(({ state }) => state === "done");
  const last = done.slice(-6);
  const said = clip(last.map(({ text }) => clip(text, 80)).join("; "), 300);
  return [
    ...left.slice(0, 10).map((task) => line(describeTask(task), task, task.state === "current" ? 2 : 1)),
    ...(done.length === 0 ? [] : [line(`Done (${done.length}): ${said}`, last)]),
  ];
}
