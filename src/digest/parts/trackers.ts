import type { Todo, TodoChange } from "../../clients/todos.ts";
import { clip } from "../../lib/clip.ts";
import { type Commit, type Digest, isTodo, type Source, type Task, type TaskState } from "../digest.ts";
import { isSaidIn } from "./words.ts";

/** An issue tracker with a command line: how its commands name a task and what they do to it. */
interface Tracker {
  readonly command: RegExp;
  /** The verb, then what follows it. */
  readonly states: Readonly<Record<string, TaskState>>;
  readonly id: RegExp;
}

/** Trackers that agents use from the shell. */
const trackers: readonly Tracker[] = [
  {
    command: /(?:^|[;&|]\s*)bd (close|create|update|reopen|ready) ([^\n;&|]*)/gm,
    states: { close: "done", create: "open", update: "current", reopen: "open" },
    id: /\b[a-z][a-z0-9]*-[a-z0-9]+(?:\.\d+)*\b/g,
  },
  {
    command: /(?:^|[;&|]\s*)gh issue (close|create|reopen) ([^\n;&|]*)/gm,
    states: { close: "done", create: "open", reopen: "open" },
    id: /#?\b\d+\b/g,
  },
];

/** Adds the tasks that a command filed, took up or closed. */
export function followTrackers(
  tasks: readonly Task[],
  command: string,
  output: string,
  source: Source,
): readonly Task[] {
  let list = tasks;
  for (const { command: pattern, states, id } of trackers) {
    for (const [, verb = "", rest = ""] of command.matchAll(pattern)) {
      const state = states[verb];
      if (state === undefined) continue;
      const changed = verb === "create" ? [toFiled(rest, output, id)] : listChanged(list, rest, id);
      for (const task of changed) list = replaceTask(list, { ...source, state, ...task });
    }
  }
  return list;
}

/** Returns a new task, named as the tracker answered, or by its title. */
function toFiled(words: string, output: string, id: RegExp): Pick<Task, "id" | "text"> {
  const text = clip(/(?:--title[= ]|^)\s*["']([^"']+)["']/.exec(words)?.[1] ?? words, 140);
  const name = output.slice(0, 400).match(id)?.[0];
  return { id: name ?? text, text: name === undefined ? text : `${name}: ${text}` };
}

/** Returns the tasks that are named, with the reason and the status that they are given. */
function listChanged(tasks: readonly Task[], words: string, id: RegExp) {
  const reason = /--(?:reason|comment)[= ]["']?([^"']+)/.exec(words)?.[1];
  const status = /--(?:status|set-status)[= ](\w+)/.exec(words)?.[1];
  const why = reason === undefined ? "" : ` (${clip(reason, 110)})`;
  return (words.replace(/--.*/, "").match(id) ?? []).map((name) => {
    const text = tasks.find((task) => task.id === name)?.text ?? name;
    return {
      ...{ id: name, text: `${text.replace(/ \(.*\)$/, "")}${why}` },
      ...(status !== undefined && { state: statusOf(status) }),
    };
  });
}

function statusOf(word: string): TaskState {
  if (/closed|done|complete/.test(word)) return "done";
  return /progress|active|doing/.test(word) ? "current" : "open";
}

/** A list that the client keeps may be left as it is while the work goes on. */
export function isListOld({ tasks, commits }: Pick<Digest, "tasks" | "commits">): boolean {
  const last = commits.at(-1)?.seq ?? 0;
  return tasks.length > 0 && tasks.every(({ seq }) => seq < last);
}

const mostTasks = 80;

/** Puts a task at the end of the list, in the place of the one with the same id. */
function replaceTask(tasks: readonly Task[], task: Task): readonly Task[] {
  return [...tasks.filter(({ id }) => id !== task.id), task].slice(-mostTasks);
}

/** A task in progress is done when a commit says that it did the same, though nobody ticked it off. */
export function endCommitted(tasks: readonly Task[], commits: readonly Commit[]): readonly Task[] {
  const isCommitted = (task: Task) =>
    commits.some(({ subject: text }) => isSaidIn(task, { text }) || isSaidIn({ text }, task));
  return tasks.map((task) =>
    task.state === "current" && isCommitted(task) ? { ...task, state: "done" } : task,
  );
}

/** Longer ones are whole documents. */
const longestTodo = 500;

/** Brings a client's own list of tasks up to a change. One that uses another tool has begun another list. */
export function followTodos(given: readonly Task[], change: TodoChange, source: Source): readonly Task[] {
  const idOf = (id: string): string => `${change.by} ${id}`;
  const toTask = ({ id, text, state }: Todo): readonly Task[] =>
    state === "gone" ? [] : [{ ...source, id: idOf(id), text: clip(text, longestTodo), state }];
  const tasks = given.filter((task) => !isTodo(task) || task.id.startsWith(idOf("")));
  switch (change.type) {
    case "listed":
      return [...tasks.filter((task) => !isTodo(task)), ...change.todos.flatMap(toTask)];
    case "added":
      return toTask(change.todo).reduce(replaceTask, tasks);
    case "changed": {
      const known = tasks.find((task) => task.id === idOf(change.id));
      // What was added before the session began has no other name.
      const { text = known?.text ?? `Task #${change.id}`, state = known?.state ?? "open" } = change;
      const next = toTask({ id: change.id, text, state });
      return known === undefined
        ? next.reduce(replaceTask, tasks)
        : tasks.flatMap((task) => (task === known ? next : [task]));
    }
  }
}
