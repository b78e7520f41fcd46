import { describe, expect, it } from "vitest";
import type { Todo, TodoChange, TodoState } from "../../src/clients/todos.ts";
import type { Commit, Source, Task } from "../../src/digest/digest.ts";
import { findNextStep } from "../../src/digest/judge-work.ts";
import { endCommitted, followTodos, followTrackers } from "../../src/digest/parts/trackers.ts";
import { describeDigest } from "../../src/digest/sections.ts";
import type { EntryId } from "../../src/sessions/ids.ts";
import { digestOf, morning } from "./digest-of.ts";

const source: Source = { entry: "e1" as EntryId, seq: 1, at: 0 };

function tasksAfter(...commands: readonly (readonly [command: string, output?: string])[]) {
  return commands
    .reduce<readonly Task[]>(
      (tasks, [command, output = ""]) => followTrackers(tasks, command, output, source),
      [],
    )
    .map(({ id, text, state }) => ({ id, text, state }));
}

const task = (id: string, text: string, state: Task["state"]): Task => ({ ...source, id, text, state });

describe("tasks of a tracker", () => {
  it("are named as the tracker names them, or by their title where it says no name", () => {
    expect(
      tasksAfter(
        ['bd create --title="Round the price" -p 1', "Created issue: shop-7"],
        ['bd create "Write the list" --type task', "ok"],
        ["gh issue create --title 'Sort by date' --body x", "https://example.com/shop/issues/12"],
        ["bd create plain", ""],
      ),
    ).toEqual([
      { id: "shop-7", text: "shop-7: Round the price", state: "open" },
      { id: "Write the list", text: "Write the list", state: "open" },
      { id: "12", text: "12: Sort by date", state: "open" },
      { id: "plain", text: "plain", state: "open" },
    ]);
  });

  it("follow every command of a line, and the status that an update gives", () => {
    expect(
      tasksAfter([
        "bd update shop-1 --status=in_progress && bd update shop-2 --status closed; bd update shop-3 --status blocked",
      ]),
    ).toEqual([
      { id: "shop-1", text: "shop-1", state: "current" },
      { id: "shop-2", text: "shop-2", state: "done" },
      { id: "shop-3", text: "shop-3", state: "open" },
    ]);
  });

  it("are closed with the reason, all that a command names, and opened again without it", () => {
    const closed = [
      ['bd create "Round the price"', "shop-7"],
      ['bd close shop-7 shop-8 --reason "done in the parser"'],
    ] as const;
    expect(tasksAfter(...closed)).toEqual([
      { id: "shop-7", text: "shop-7: Round the price (done in the parser)", state: "done" },
      { id: "shop-8", text: "shop-8 (done in the parser)", state: "done" },
    ]);
    expect(tasksAfter(...closed, ["bd reopen shop-7"]).at(-1)).toEqual({
      id: "shop-7",
      text: "shop-7: Round the price",
      state: "open",
    });
    expect(tasksAfter(["gh issue close 12 --comment 'fixed'"])).toEqual([
      { id: "12", text: "12 (fixed)", state: "done" },
    ]);
  });

  it("are not changed by a command that only lists them", () => {
    expect(tasksAfter(["bd ready "], ["bd list"], ["echo bd close shop-7"])).toEqual([]);
  });
});

describe("a task in progress", () => {
  it("is done when a commit says the same, and only then", () => {
    const tasks = [
      task("1", "Round the price of a basket to cents", "current"),
      task("2", "Write the price list", "current"),
      task("3", "Round the price of a basket to cents", "open"),
    ];
    const commits = [{ ...source, subject: "Round the price of a basket to cents" }] as unknown as Commit[];
    expect(endCommitted(tasks, commits).map(({ state }) => state)).toEqual(["done", "current", "open"]);
  });
});

describe("the list of a client", () => {
  it("replaces only the tasks of the same list", () => {
    const before = [task("todos 1", "Old", "open"), task("shop-7", "Round", "open")];
    const todos = [
      { id: "1", text: "New", state: "current" },
      { id: "2", text: "Dropped", state: "gone" },
    ] as const;
    const tasks = followTodos(before, { type: "listed", by: "todos", todos }, source);
    expect(tasks.map(({ id, text, state }) => `${id} ${text} ${state}`)).toEqual([
      "shop-7 Round open",
      "todos 1 New current",
    ]);
  });

  it("adds, changes and drops single tasks, and keeps the text that a change does not name", () => {
    const add = (todo: Todo): TodoChange => ({ type: "added", by: "tasks", todo });
    const change = (id: string, state: TodoState | undefined, text?: string): TodoChange => ({
      type: "changed",
      by: "tasks",
      id,
      state,
      text,
    });
    let tasks = followTodos([], add({ id: "1", text: "Write the test", state: "open" }), source);
    tasks = followTodos(tasks, add({ id: "2", text: "Never there", state: "gone" }), source);
    tasks = followTodos(tasks, change("1", "current"), source);
    expect(tasks.map(({ text, state }) => [text, state])).toEqual([["Write the test", "current"]]);
    tasks = followTodos(tasks, change("1", undefined, "Write two tests"), source);
    tasks = followTodos(tasks, change("9", "done"), source);
    // Nobody saw how it was added.
    expect(tasks.map(({ text, state }) => [text, state])).toEqual([
      ["Write two tests", "current"],
      ["Task #9", "done"],
    ]);
    tasks = followTodos(tasks, change("9", "gone"), source);
    expect(followTodos(tasks, change("1", "gone"), source)).toEqual([]);
  });

  it("begins anew when the client uses another tool for it", () => {
    const todo: Todo = { id: "1", text: "Write the test", state: "open" };
    const filed = followTrackers([], "bd create 'Fix it'", "shop-1", source);
    const listed = followTodos(filed, { type: "listed", by: "todos", todos: [todo] }, source);
    const added = followTodos(listed, { type: "added", by: "tasks", todo }, source);
    expect([listed, added].map((tasks) => tasks.map(({ id }) => id))).toEqual([
      ["shop-1", "todos 1"],
      ["shop-1", "tasks 1"],
    ]);
  });
});

it("says in a word that a list is older than the last commit", () => {
  const digest = { ...digestOf(morning()), tasks: [task("1", "Write the list", "open")] };
  const titles = describeDigest(digest).map(({ title }) => title);
  expect([titles.filter((title) => /task/i.test(title)), findNextStep(digest)?.text]).toEqual([
    ["Old tasks"],
    "Go on with the task: Write the list (listed before the last commit)",
  ]);
});
