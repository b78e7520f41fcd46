import { describe, expect, it } from "vitest";
import { renderWorkState, toWireState } from "../../../src/work/render-work-state.ts";
import { parseWorkState } from "../../../src/work/state/parse-work-state.ts";
import type { WorkState } from "../../../src/work/work-state.ts";

const at = new Date("2026-11-16T12:00:00Z");
const state: WorkState = {
  ...{ mode: "quick", savedAt: at, branch: "main", commit: "abc1234", isPushed: false },
  ...{ change: "add-login", changeStatus: "IN_PROGRESS", workingOn: "the form", nextSteps: ["its tests"] },
  ...{ blocker: null, completed: ["a"], pending: ["b", "c"], session: "session-1" },
  modifiedFiles: [{ path: "src/a.ts", sha256: null }],
};
const blocker = { type: "build_error", severity: "high", description: "x", detected_at: at.toISOString() };

/** Returns what does not add up in a file that says something else in some fields. */
function warningsOf(changes: Readonly<Record<string, unknown>>) {
  const parsed = parseWorkState(JSON.stringify({ ...toWireState(state), ...changes }));
  return parsed.type === "state"
    ? parsed.warnings.map(({ field, problem }) => `${field} ${problem}`)
    : parsed;
}

/** Returns what is wrong with a file that says something else in some fields; undefined leaves a field out. */
function problemsOf(changes: Readonly<Record<string, unknown>>) {
  const parsed = parseWorkState(JSON.stringify({ ...toWireState(state), ...changes }));
  return parsed.type === "broken" ? parsed.problems.map(({ field, problem }) => `${field} ${problem}`) : [];
}

describe("a file of a state", () => {
  // Seed 1: 11.1
  it.each([
    "mode",
    "git_branch",
    "git_commit",
    "openspec",
    "openspec_status",
    "working_on",
    "next_steps",
    "completed_tasks",
    "pending_tasks",
  ])("is read with a warning without %s", (field) => {
    expect(warningsOf({ [field]: undefined })).toContain(`${field} is missing`);
  });

  // Seed 1: 3.2
  it.each(["version", "git_pushed", "session", "blocker", "modified_files", "task_progress"])(
    "does without %s",
    (field) => {
      expect(warningsOf({ [field]: undefined })).toEqual([]);
    },
  );

  // Seed 1: 11.2, 11.4
  it.each([
    { changes: { saved_at: undefined }, says: ["saved_at is missing"] },
    { changes: { saved_at: "yesterday" }, says: ["saved_at is not a time in ISO 8601"] },
    { changes: { saved_at: "2026-11" }, says: ["saved_at is not a time in ISO 8601"] },
    { changes: { saved_at: 5 }, says: ["saved_at is not of type string"] },
    { changes: { next_steps: {} }, says: ["next_steps is not of type array"] },
    { changes: { pending_tasks: ["b", null] }, says: ["pending_tasks.1 is not of type string"] },
    { changes: { version: 2 }, says: ["version is 2, which a newer Carryon wrote"] },
    { changes: { blocker: {} }, says: ["blocker.description is missing"] },
    { changes: { blocker: [] }, says: ["blocker is not of type object"] },
    {
      changes: { blocker: { ...blocker, description: undefined, message: 5 } },
      says: ["blocker.description is missing", "blocker.message is not of type string"],
    },
    { changes: { blocker: { ...blocker, description: "" } }, says: ["blocker.description is missing"] },
    {
      changes: { mode: 1, blocker: { ...blocker, resolution: 1, detected_at: "x" } },
      says: ["blocker.resolution is not of type string", "blocker.detected_at is not a time in ISO 8601"],
    },
  ])("cannot be used with $changes", ({ changes, says }) => {
    expect(problemsOf(changes)).toEqual(says);
  });

  it.each([
    { changes: { version: "1.0.0" }, says: ["version is not one of 1"] },
    { changes: { working_on: null }, says: ["working_on is not of type string"] },
    { changes: { next_steps: null }, says: ["next_steps is not of type array"] },
    { changes: { git_pushed: 1 }, says: ["git_pushed is not of type boolean"] },
    { changes: { openspec_status: 1 }, says: ["openspec_status is not of type string"] },
    {
      changes: { modified_files: [{ path: 1 }] },
      says: expect.arrayContaining(["modified_files.0.path is not of type string"]),
    },
    { changes: { task_progress: "1/3" }, says: ["task_progress is not of type object"] },
    {
      changes: { task_progress: { completed: 1, total: 3, percentage: "33%" } },
      says: ["task_progress.percentage is not of type number"],
    },
    {
      changes: { task_progress: { completed: "1", total: 1e20, percentage: 33 } },
      says: [
        "task_progress.completed is not of type number",
        "task_progress.total is not a whole number from 0 to 1000000",
      ],
    },
  ])("does without what it cannot read, with a warning: $changes", ({ changes, says }) => {
    expect(warningsOf(changes)).toEqual(says);
    const parsed = parseWorkState(JSON.stringify({ ...toWireState(state), ...changes }));
    const { workingOn, nextSteps, changeStatus, modifiedFiles } = state;
    const lost = {
      ...("working_on" in changes && { workingOn: "work in progress" }),
      ...("next_steps" in changes && { nextSteps: [] }),
      ...("openspec_status" in changes && { changeStatus: null }),
      ...("modified_files" in changes && { modifiedFiles: [] }),
    };
    expect(parsed).toMatchObject({
      type: "state",
      state: { ...state, workingOn, nextSteps, changeStatus, modifiedFiles, ...lost },
    });
  });

  it.each([[-1], [1.5], [2_000_000], ["1"]])("takes no attempt for counted where %j is", (attempts) => {
    const parsed = parseWorkState(
      JSON.stringify({ ...toWireState(state), blocker: { ...blocker, recovery_attempted: attempts } }),
    );
    expect(parsed).toMatchObject({
      state: { blocker: { recoveryAttempted: 0 } },
      warnings: [{ field: "blocker.recovery_attempted" }],
    });
  });

  // Seed 1: 11.3
  it.each([
    { changes: { mode: "fast" }, says: ["mode is fast, not one of quick, sync, full"] },
    {
      changes: { openspec_status: "APPROVED" },
      says: ["openspec_status is APPROVED, not one of DRAFT, IN_PROGRESS, BLOCKED, DEPLOYED, ARCHIVED"],
    },
    {
      changes: { blocker: { ...blocker, type: "bug", severity: "urgent" } },
      says: [
        expect.stringMatching(/^blocker\.type is bug, not one of build_error, /),
        "blocker.severity is urgent, not one of low, medium, high, critical",
      ],
    },
    {
      changes: { task_progress: { completed: 1, total: 3, percentage: 40 } },
      says: ["task_progress.percentage is 40, but 33 is right"],
    },
    {
      changes: { task_progress: { completed: 2, total: 4, percentage: 50 } },
      says: [
        "task_progress.completed is 2, but completed_tasks has 1",
        "task_progress.total is 4, but there are 3 tasks",
      ],
    },
  ])("is read with a warning, and written as it was, with $changes", ({ changes, says }) => {
    expect(warningsOf(changes)).toEqual(says);
    const parsed = parseWorkState(JSON.stringify({ ...toWireState(state), ...changes }));
    const written = parsed.type === "state" ? JSON.parse(renderWorkState(parsed.state)) : {};
    const { percentage: _computed, ...count } = changes.task_progress ?? { percentage: 0 };
    expect(written).toMatchObject("task_progress" in changes ? { task_progress: count } : changes);
  });

  it("drops what 0.1.0 wrote into the file and the log notes now", () => {
    const noted = { tasks_told_at: at.toISOString(), blocker_resolved_at: null };
    const blocked = { ...blocker, recovery_command: "0".repeat(64) };
    const parsed = parseWorkState(JSON.stringify({ ...toWireState(state), ...noted, blocker: blocked }));
    const rendered = parsed.type === "state" ? renderWorkState(parsed.state, parsed.unknown) : "";
    expect(rendered).not.toMatch(/tasks_told_at|blocker_resolved_at|recovery_command/);
  });

  it.each([
    {
      case: "one percent beside the right one",
      changes: { task_progress: { completed: 1, total: 3, percentage: 34 } },
    },
    {
      case: "a blocker that says message",
      changes: { blocker: { ...blocker, description: undefined, message: "x" } },
    },
    {
      case: "a blocker that says only its type and what it is",
      changes: { blocker: { type: "other", description: "x" } },
    },
    { case: "a time without an offset", changes: { saved_at: "2026-11-16T12:00:00" } },
    { case: "a day", changes: { saved_at: "2026-11-16" } },
    {
      case: "no git",
      changes: { git_branch: null, git_commit: null, openspec: null, openspec_status: null },
    },
  ])("is whole with $case", ({ changes }) => {
    expect(warningsOf(changes)).toEqual([]);
  });

  it.each([
    { given: 3, read: "3" },
    { given: { id: 1, title: "x" }, read: "x" },
    { given: { text: "y", name: "z" }, read: "y" },
    { given: { name: "z" }, read: "z" },
    { given: { id: 1, title: 2 }, read: '{"id":1,"title":2}' },
  ])("reads the task $given as $read, with a warning", ({ given, read }) => {
    const tasks = { next_steps: [given], completed_tasks: ["a", given], pending_tasks: [given, "c"] };
    const { task_progress: _counted, ...written } = toWireState(state);
    const said = `is not of type string, and is read as ${read}`;
    expect(parseWorkState(JSON.stringify({ ...written, ...tasks }))).toEqual({
      type: "state",
      state: { ...state, nextSteps: [read], completed: ["a", read], pending: [read, "c"] },
      unknown: {},
      warnings: ["next_steps.0", "completed_tasks.1", "pending_tasks.0"].map((field) => ({
        field,
        problem: said,
      })),
    });
  });

  it("takes a blocker without a type for another one, with a warning", () => {
    const given = { ...blocker, type: undefined, severity: undefined };
    expect(parseWorkState(JSON.stringify({ ...toWireState(state), blocker: given }))).toMatchObject({
      state: { blocker: { type: "other", severity: "medium", description: "x" } },
      warnings: [{ field: "blocker.type", problem: "is missing" }],
    });
  });

  it("takes what a person left out of a blocker from its type and from the save", () => {
    const written = { ...toWireState(state), saved_at: "2026-01-04" };
    const readWith = (given: unknown) => parseWorkState(JSON.stringify({ ...written, blocker: given }));
    const known = { description: "x", detectedAt: new Date(2026, 0, 4), isAutoDetected: false };
    expect(readWith({ type: "build_error", message: "x" })).toMatchObject({
      state: { blocker: { type: "build_error", severity: "critical", ...known } },
    });
    expect(readWith("x")).toMatchObject({
      state: { blocker: { type: "other", severity: "medium", ...known } },
    });
  });

  it("keeps the fields of a blocker that nobody knows", () => {
    const parsed = parseWorkState(
      JSON.stringify({ ...toWireState(state), blocker: { ...blocker, assignee: "kim", ticket: { id: 7 } } }),
    );
    const written = parsed.type === "state" ? JSON.parse(renderWorkState(parsed.state)) : {};
    expect(written.blocker).toMatchObject({ assignee: "kim", ticket: { id: 7 } });
  });

  // Seed 1: 9.2
  it("has counters of recovery where a blocker does not say", () => {
    const parsed = parseWorkState(JSON.stringify({ ...toWireState(state), blocker }));
    expect(parsed).toMatchObject({
      state: { blocker: { recoveryAttempted: 0, maxRecoveryAttempts: 3, isAutoDetected: false } },
    });
  });

  it.each([
    { text: "", problem: "is empty" },
    { text: " \n", problem: "is empty" },
    { text: '{"mode":', problem: "is not JSON, or only the beginning of it" },
    { text: "[]", problem: "is not an object" },
    { text: "null", problem: "is not an object" },
    { text: `${'{"a":'.repeat(50)}1${"}".repeat(50)}`, problem: "is nested deeper than 32 levels" },
  ])("is broken when it says $text", ({ text, problem }) => {
    expect(parseWorkState(text)).toEqual({ type: "broken", problems: [{ field: "", problem }] });
  });
});
