import type { Todo, TodoChange } from "../../clients/todos.ts";
import type { Task } from "../tasks.ts";

/**
 * Returns the list that changes have led to, oldest change first. A client that has begun to use another tool has begun
 * another list.
 */
export function replayTodos(changes: readonly TodoChange[]): readonly Task[] {
  const by = changes.at(-1)?.by;
  const todos = new Map<string, Todo>();
  for (const change of changes) if (change.by === by) apply(change, todos);
  return [...todos.values()].sort(byNumber).flatMap(({ text, state }) => {
    return state === "gone" ? [] : [{ text, state }];
  });
}

function apply(change: TodoChange, todos: Map<string, Todo>): void {
  switch (change.type) {
    case "listed":
      todos.clear();
      for (const todo of change.todos) todos.set(todo.id, todo);
      return;
    case "added":
      todos.set(change.todo.id, change.todo);
      return;
    case "changed": {
      const { id, text, state } = change;
      // What was added before the first change that is known has no other name.
      const known = todos.get(id) ?? { id, text: `Task #${id}`, state: "open" };
      todos.set(id, { id, text: text ?? known.text, state: state ?? known.state });
    }
  }
}

/** Ids are numbers that rise; any other stands behind them, in the order in which it came. */
function byNumber({ id: one }: Todo, { id: other }: Todo): number {
  const difference = toNumber(one) - toNumber(other);
  return Number.isNaN(difference) ? 0 : difference;
}

function toNumber(id: string): number {
  return /^\d+$/.test(id) ? Number(id) : Number.POSITIVE_INFINITY;
}
