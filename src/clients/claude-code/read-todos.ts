import { fold } from "../../lib/markdown/fold.ts";
import type { Json, JsonObject, ToolResultPart } from "../../sessions/entry.ts";
import type { ToolRun } from "../../sessions/tool-runs.ts";
import type { Todo, TodoChange, TodoState } from "../todos.ts";
import { isJsonObject, objectOf, textOf } from "./wire.ts";

/** Returns what a call did to the client's own list of things to do; undefined when it did nothing to it. */
export function readTodoChange({ call, result }: Pick<ToolRun, "call" | "result">): TodoChange | undefined {
  if (result.failed === true) return undefined;
  const input = isJsonObject(call.input) ? call.input : {};
  switch (call.name) {
    case "TodoWrite":
      return Array.isArray(input.todos)
        ? { type: "listed", by: "todos", todos: toTodos(input.todos, { text: "content" }) }
        : undefined;
    case "TaskCreate":
      return readAdded(input, result);
    case "TaskUpdate":
      return readChanged(input, result.output);
    case "TaskList":
      return readListed(result.output);
    default:
      return undefined;
  }
}

function readAdded(input: JsonObject, { call, output }: ToolResultPart): TodoChange | undefined {
  const told = typeof output === "string" ? /^Task #(\S+) created/.exec(output)?.[1] : undefined;
  const task = isJsonObject(output) ? objectOf(output, "task") : {};
  const text = fold(textOf(input, "subject") ?? "");
  if (text === "") return undefined;
  return { type: "added", by: "tasks", todo: { id: told ?? idOf(task.id) ?? call, text, state: "open" } };
}

/** A change that was refused has a result like any other, but for its words. */
function readChanged(input: JsonObject, output: Json): TodoChange | undefined {
  const id = idOf(input.taskId);
  const isDone = isJsonObject(output) ? output.success === true : String(output).startsWith("Updated task #");
  if (id === undefined || !isDone) return undefined;
  const subject = fold(textOf(input, "subject") ?? "");
  const status = textOf(input, "status");
  return {
    ...{ type: "changed", by: "tasks", id },
    text: subject === "" ? undefined : subject,
    state: status === undefined ? undefined : toState(status),
  };
}

function readListed(output: Json): TodoChange | undefined {
  if (isJsonObject(output) && Array.isArray(output.tasks))
    return { type: "listed", by: "tasks", todos: toTodos(output.tasks, { text: "subject", id: "id" }) };
  if (typeof output !== "string") return undefined;
  const lines = [...output.matchAll(/^#(\S+) \[(\w+)\] (.+?)(?: \[blocked by [#\d, ]+\])?$/gm)];
  if (lines.length === 0 && output.trim() !== "No tasks found") return undefined;
  const todos = lines.map(([, id = "", status = "", text = ""]) => ({
    ...{ id, text: fold(text), state: toState(status) },
  }));
  return { type: "listed", by: "tasks", todos };
}

/** Things without a name of their own are called by their places. */
function toTodos(
  items: readonly Json[],
  names: { readonly text: string; readonly id?: string },
): readonly Todo[] {
  return items.flatMap((item, index) => {
    if (!isJsonObject(item)) return [];
    const text = fold(textOf(item, names.text) ?? "");
    const id = names.id === undefined ? undefined : idOf(item[names.id]);
    const state = toState(textOf(item, "status") ?? "");
    return text === "" ? [] : [{ id: id ?? String(index + 1), text, state }];
  });
}

function idOf(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** A status that a newer client has is one of something that is not done. */
function toState(status: string): TodoState {
  switch (status) {
    case "completed":
      return "done";
    case "in_progress":
      return "current";
    case "deleted":
    case "cancelled":
      return "gone";
    default:
      return "open";
  }
}
