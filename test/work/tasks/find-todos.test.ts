import { describe, expect, it } from "vitest";
import { openDigests } from "../../../src/digest/read-digests.ts";
import type { Json, NewEntry, Part } from "../../../src/sessions/entry.ts";
import { parseEntryId, parseStrand, type SessionId } from "../../../src/sessions/ids.ts";
import { findTodos } from "../../../src/work/tasks/find-todos.ts";
import { one, openWithSession, type TestLog, two } from "../../contract/test-log.ts";
import { later, newSession, said, start } from "../../support/entries.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

interface Call {
  readonly name: string;
  readonly input: Json;
  readonly output: Json;
  readonly failed?: boolean;
}

const done = "Todos have been modified successfully. Ensure that you continue to use the todo list.";

/** A call of TodoWrite; `x a`, `> b` and `- c` are done, in progress and pending. */
function todoWrite(...items: readonly string[]): Call {
  const statuses: Readonly<Record<string, string>> = { x: "completed", ">": "in_progress", "-": "pending" };
  const todos = items.map((item) => ({
    ...{ content: item.slice(2), activeForm: "Doing", status: statuses[item.charAt(0)] ?? "cancelled" },
  }));
  return { name: "TodoWrite", input: { todos }, output: done };
}

const create = (id: string, subject: string): Call => ({
  name: "TaskCreate",
  input: { subject, description: "d", activeForm: "Doing" },
  output: `Task #${id} created successfully: ${subject}`,
});

const update = (taskId: string, fields: { readonly [name: string]: Json }): Call => ({
  name: "TaskUpdate",
  input: { taskId, ...fields },
  output: `Updated task #${taskId} ${Object.keys(fields).join(", ")}`,
});

const list = (...lines: readonly string[]): Call => ({
  name: "TaskList",
  input: {},
  output: lines.length === 0 ? "No tasks found" : lines.join("\n"),
});

const text = (id: string): NewEntry => said(id, "go on");

/** The entries of a call and its result, as a transcript has them. */
function rows({ name, input, output, failed }: Call, id: string, strand = "main"): readonly NewEntry[] {
  const base = { at: start, kind: "message", strand: parseStrand(strand) } as const;
  const call: Part = { type: "tool-call", call: id, name, input };
  const result: Part = { type: "tool-result", call: id, output, ...(failed && { failed }) };
  return [
    { ...base, id: parseEntryId(`${id}-call`), role: "assistant", parts: [call] },
    { ...base, id: parseEntryId(`${id}-result`), role: "tool", parts: [result] },
  ];
}

const allRows = (calls: readonly Call[]): readonly NewEntry[] =>
  calls.flatMap((call, index) => rows(call, `c${index}`));

/** The list that is found after some calls. */
async function todosAfter(entries: readonly NewEntry[]) {
  await using test = await openWithSession(openSqliteTestLog);
  await test.log.append(one, entries);
  return (await findTodos(deskOf(test)))?.tasks;
}

/** What a list is looked for with. */
function deskOf(test: TestLog) {
  return {
    site: { log: test.log, project: { id: test.project, name: "shop" } },
    digests: openDigests(test),
  };
}

describe("findTodos", () => {
  it.each([
    {
      case: "the last list that was written",
      calls: [
        todoWrite("- a", "- b"),
        todoWrite("x a", "> b", "- c"),
        { name: "Bash", input: {}, output: "" },
      ],
      tasks: { completed: ["a"], pending: ["b", "c"], next: "b", skipped: [] },
    },
    {
      case: "what is in progress as the next, and what was passed over",
      calls: [todoWrite("- a", "x b", "- c", "> d")],
      tasks: { completed: ["b"], pending: ["a", "c", "d"], next: "d", skipped: ["a"] },
    },
    {
      case: "the same text each time, and none that was cancelled",
      calls: [todoWrite("x test", "? no more", "- test", "- test")],
      tasks: { completed: ["test"], pending: ["test", "test"], next: "test", skipped: [] },
    },
    {
      case: "all that is done, when all of it is",
      calls: [todoWrite("x a", "x b")],
      tasks: { completed: ["a", "b"], pending: [], next: undefined, skipped: [] },
    },
    {
      case: "tasks that were made and changed one by one",
      calls: [
        ...[create("1", "a"), create("2", "b"), create("3", "c"), create("10", "d")],
        ...[update("1", { status: "completed" }), update("3", { status: "in_progress", subject: "C" })],
        update("2", { status: "deleted" }),
      ],
      tasks: { completed: ["a"], pending: ["C", "d"], next: "C", skipped: [] },
    },
    {
      case: "tasks as they were listed, and what came after",
      calls: [
        ...[create("1", "lost"), update("1", { status: "completed" })],
        list("#2 [completed] a", "#3 [pending] b [blocked by #4, #5]", "#4 [in_progress] c (really)"),
        ...[update("4", { status: "completed" }), create("5", "d")],
      ],
      tasks: { completed: ["a", "c (really)"], pending: ["b", "d"], next: "d", skipped: ["b"] },
    },
    {
      case: "a task whose making is not known, by its number",
      calls: [update("7", { status: "completed" }), create("8", "b")],
      tasks: { completed: ["Task #7"], pending: ["b"], next: "b", skipped: [] },
    },
    {
      case: "results in their own form",
      calls: [
        { ...create("1", "a"), output: { task: { id: "1", subject: "a" } } },
        { ...create("2", "b"), output: { task: { id: 2, subject: "b" } } },
        { ...update("1", { status: "completed" }), output: { success: true, taskId: "1" } },
        { ...update("2", { status: "completed" }), output: { success: false, taskId: "2" } },
      ],
      tasks: { completed: ["a"], pending: ["b"], next: "b", skipped: [] },
    },
    {
      case: "tasks that were listed in their own form",
      calls: [
        { ...list(), output: { tasks: [{ id: "3", subject: "a", status: "pending" }] } },
        update("3", { status: "completed" }),
      ],
      tasks: { completed: ["a"], pending: [], next: undefined, skipped: [] },
    },
    {
      case: "the list of the tool that was used last",
      calls: [create("1", "old"), todoWrite("- a"), create("4", "b")],
      tasks: { completed: [], pending: ["b"], next: "b", skipped: [] },
    },
    {
      case: "a status of a newer client as open",
      calls: [create("1", "a"), update("1", { status: "paused" })],
      tasks: { completed: [], pending: ["a"], next: "a", skipped: [] },
    },
  ])("returns $case", async ({ calls, tasks }) => {
    expect(await todosAfter(allRows(calls))).toEqual(tasks);
  });

  it.each([
    { case: "nothing was recorded", entries: [] },
    { case: "no list was", entries: [text("a"), ...rows({ name: "Bash", input: {}, output: "" }, "c")] },
    { case: "the list was emptied", entries: allRows([todoWrite("- a"), todoWrite()]) },
    {
      case: "all tasks were deleted",
      entries: allRows([create("1", "a"), update("1", { status: "deleted" })]),
    },
    { case: "no tasks were found", entries: allRows([create("1", "a"), list()]) },
    { case: "the only call failed", entries: rows({ ...todoWrite("- a"), failed: true }, "c") },
    { case: "the only call has no result", entries: rows(todoWrite("- a"), "c").slice(0, 1) },
    { case: "only a subagent kept a list", entries: rows(todoWrite("- a"), "c", "agent-1") },
    {
      case: "calls are of another form",
      entries: allRows([
        { name: "TodoWrite", input: { todos: "a" }, output: done },
        { name: "TodoWrite", input: null, output: done },
        { name: "TaskCreate", input: {}, output: "" },
        { name: "TaskUpdate", input: { status: "completed" }, output: "Updated task #1 status" },
        { name: "TaskList", input: {}, output: ["what"] },
        { name: "TaskList", input: {}, output: "what" },
      ]),
    },
  ])("returns nothing when $case", async ({ entries }) => {
    expect(await todosAfter(entries)).toBeUndefined();
  });

  it("leaves out calls that the client refused", async () => {
    const calls: readonly Call[] = [
      todoWrite("x a", "- b"),
      { ...todoWrite("x a", "x b"), failed: true, output: "InputValidationError" },
    ];
    const refused: readonly Call[] = [
      create("1", "a"),
      { ...update("1", { status: "completed" }), output: "The tests must pass first." },
      { ...update("9", { status: "completed" }), output: "Task #9 not found" },
    ];
    expect([await todosAfter(allRows(calls)), await todosAfter(allRows(refused))]).toEqual([
      { completed: ["a"], pending: ["b"], next: "b", skipped: [] },
      { completed: [], pending: ["a"], next: "a", skipped: [] },
    ]);
  });

  it("does not mix the list of a subagent with that of the session", async () => {
    const entries = [
      ...rows(create("1", "a"), "c1"),
      ...rows(create("2", "of the subagent"), "c2", "agent-1"),
      ...rows(todoWrite("x of the subagent"), "c3", "agent-1"),
      ...rows(update("1", { status: "in_progress" }), "c4"),
    ];
    expect(await todosAfter(entries)).toEqual({ completed: [], pending: ["a"], next: "a", skipped: [] });
  });

  it("looks at the newest session of the project, unless another is named", async () => {
    await using test = await openWithSession(openSqliteTestLog);
    const { log, project } = test;
    await log.append(one, rows(todoWrite("- older"), "c1"));
    await log.open(newSession("two", project, { startedAt: later(60) }), [
      { ...said("p", "hello"), at: later(60) },
    ]);
    const other = await test.projects.recognise({ identities: ["path:/other"], name: "other" });
    await log.open(
      newSession("three", other.id, { startedAt: later(90) }),
      rows(todoWrite("- foreign"), "c3"),
    );
    const desk = deskOf(test);
    const sessionOf = async (id: SessionId) => (await log.list({ id })).sessions[0];
    expect([
      await findTodos(desk),
      await findTodos(desk, await sessionOf(two)),
      await findTodos(desk, null),
      await findTodos(desk, await sessionOf(one)),
    ]).toEqual([
      ...[undefined, undefined, undefined],
      { tasks: { completed: [], pending: ["older"], next: "older", skipped: [] }, changedAt: start },
    ]);
  });

  it("joins calls and results that are pages apart", async () => {
    const [call, result] = rows(update("1", { status: "completed" }), "c2");
    const entries = [
      ...[...rows(create("1", "a"), "c1"), ...rows(create("2", "b"), "c3"), ...filler(0, 3000), call],
      ...[...filler(3000, 700), result, ...filler(4000, 1000)],
    ];
    const known = entries.filter((entry) => entry !== undefined);
    expect(await todosAfter(known)).toEqual({ completed: ["a"], pending: ["b"], next: "b", skipped: [] });
  });

  it("finds a list however far back it is in a long session", async () => {
    expect((await todosAfter([...rows(todoWrite("- a"), "c1"), ...filler(0, 2500)]))?.pending).toEqual(["a"]);
  });
});

/** Entries that say nothing of a list. */
function filler(from: number, count: number): readonly NewEntry[] {
  return Array.from({ length: count }, (_, index) => text(`f${from + index}`));
}
