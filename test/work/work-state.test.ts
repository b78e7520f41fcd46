import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockerTypes, severities } from "../../src/work/blocker.ts";
import { renderWorkState, toWireState } from "../../src/work/render-work-state.ts";
import { parseWorkState } from "../../src/work/state/parse-work-state.ts";
import { changeStatuses, percentOf, saveModes, type WorkState } from "../../src/work/work-state.ts";
import { anyCharacter } from "../support/any-character.ts";

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

const text = fc.string({ unit: anyCharacter }).map((each) => each.toWellFormed());
const moment = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-01-01") });
const words = text.filter((each) => each !== "");
const anyBlocker = fc.record(
  {
    type: fc.constantFrom(...blockerTypes),
    severity: fc.constantFrom(...severities),
    ...{
      description: words,
      errorPattern: words,
      resolution: words,
      appearedAfter: words,
      recoveryAgent: words,
      recoveryCommand: words,
    },
    ...{ detectedAt: moment, isAutoDetected: fc.boolean() },
    ...{ recoveryAttempted: fc.nat(9), maxRecoveryAttempts: fc.nat(9) },
  },
  {
    requiredKeys: [
      ...(["type", "severity", "description", "detectedAt", "isAutoDetected"] as const),
      ...(["recoveryAttempted", "maxRecoveryAttempts"] as const),
    ],
  },
);
const anyState: fc.Arbitrary<WorkState> = fc.record({
  ...{ mode: fc.constantFrom(...saveModes), savedAt: moment, isPushed: fc.boolean(), workingOn: text },
  ...{ branch: fc.option(text), commit: fc.option(text), change: fc.option(text), session: fc.option(text) },
  changeStatus: fc.option(fc.constantFrom(...changeStatuses)),
  unlisted: fc.option(
    fc.record({ completed: fc.integer({ min: 1, max: 9 }), total: fc.integer({ min: 9, max: 99 }) }),
    {
      nil: undefined,
    },
  ),
  ...{ nextSteps: fc.array(text), completed: fc.array(text), pending: fc.array(text) },
  blocker: fc.option(anyBlocker),
  modifiedFiles: fc.array(fc.record({ path: text, sha256: fc.option(text) })),
});

describe("session-state.json", () => {
  it("is read as it was written, for any state, with the fields that nobody knows", () => {
    const other = fc.dictionary(
      fc.string().filter((name) => !(name in toWireState(state)) && name !== "__proto__"),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 3 },
    );
    fc.assert(
      fc.property(anyState, other, (written, unknown) => {
        const rendered = renderWorkState(written, unknown);
        expect(parseWorkState(rendered)).toEqual({
          type: "state",
          state: written,
          unknown: JSON.parse(JSON.stringify(unknown)),
          warnings: written.unlisted === undefined ? [] : expect.any(Array),
        });
        expect(renderWorkState(written, unknown)).toBe(rendered);
      }),
    );
  });

  it.each([[-1], [1.5], [2_000_000]])("says in plain words that %j is no count of attempts", (attempts) => {
    const known = { type: "other", severity: "low", description: "x", detected_at: "2026-11-16T12:00:00Z" };
    const blocker = { ...known, recovery_attempted: attempts };
    const text = JSON.stringify({ ...toWireState(state), blocker });
    expect(parseWorkState(text)).toEqual({
      type: "broken",
      problems: [{ field: "blocker.recovery_attempted", problem: "is not a whole number from 0 to 1000000" }],
    });
  });

  it("is what the format says", () => {
    const { blocker: _blocker, ...rest } = toWireState(state);
    expect(rest).toEqual({
      ...{
        version: 1,
        mode: "quick",
        saved_at: "2026-11-16T12:00:00.000Z",
      },
      ...{ git_branch: "main", git_commit: "abc1234", git_pushed: false },
      ...{ openspec: "add-login", openspec_status: "IN_PROGRESS", working_on: "the form" },
      ...{ next_steps: ["its tests"], completed_tasks: ["a"], pending_tasks: ["b", "c"] },
      ...{ task_progress: { completed: 1, total: 3, percentage: 33 }, session: "session-1" },
      modified_files: [{ path: "src/a.ts", sha256: null }],
    });
  });

  it.each([
    "mode",
    "saved_at",
    "git_branch",
    "git_commit",
    "openspec",
    "openspec_status",
    "working_on",
    "next_steps",
    "blocker",
    "completed_tasks",
    "pending_tasks",
  ])("is broken without %s", (field) => {
    expect(problemsOf({ [field]: undefined })).toContain(`${field} is missing`);
  });

  it.each(["version", "git_pushed", "session", "modified_files", "task_progress"])(
    "does without %s",
    (field) => {
      expect(problemsOf({ [field]: undefined })).toEqual([]);
    },
  );

  it.each([
    { changes: { saved_at: "yesterday" }, says: ["saved_at is not a time in ISO 8601"] },
    { changes: { saved_at: "2026-11-16" }, says: ["saved_at is not a time in ISO 8601"] },
    { changes: { saved_at: 5 }, says: ["saved_at is not of type string"] },
    { changes: { next_steps: "x" }, says: ["next_steps is not of type array"] },
    { changes: { pending_tasks: ["b", 3] }, says: ["pending_tasks.1 is not of type string"] },
    { changes: { version: 2 }, says: ["version is 2, which a newer Carryon wrote"] },
    { changes: { version: "x" }, says: ["version is not one of 1"] },
    { changes: { working_on: null }, says: ["working_on is not of type string"] },
    { changes: { git_pushed: 1 }, says: ["git_pushed is not of type boolean"] },
    { changes: { openspec_status: 1 }, says: ["openspec_status is not of type string"] },
    {
      changes: { modified_files: [{ path: "a", sha256: null }, { path: 1, left_out: 2 }, 3] },
      says: [
        "modified_files.1.path is not of type string",
        "modified_files.1.sha256 is missing",
        "modified_files.1.left_out is not of type string",
        "modified_files.2 is not of type object",
      ],
    },
    {
      changes: { task_progress: { completed: "1", total: 1e20, percentage: null } },
      says: [
        "task_progress.completed is not of type number",
        "task_progress.total is not a whole number from 0 to 1000000",
        "task_progress.percentage is not of type number",
      ],
    },
    { changes: { task_progress: [] }, says: ["task_progress is not of type object"] },
    {
      changes: { blocker: {} },
      says: ["type", "severity", "description", "detected_at"].map((name) => `blocker.${name} is missing`),
    },
    { changes: { blocker: [] }, says: ["blocker is not of type object"] },
    {
      changes: { blocker: { ...blocker, description: undefined, message: 5 } },
      says: ["blocker.description is missing", "blocker.message is not of type string"],
    },
    { changes: { blocker: { ...blocker, description: "" } }, says: ["blocker.description is missing"] },
    {
      changes: { blocker: { ...blocker, resolution: 1, auto_detected: "yes" } },
      says: ["blocker.resolution is not of type string", "blocker.auto_detected is not of type boolean"],
    },
    {
      changes: { blocker: { ...blocker, description: undefined } },
      says: ["blocker.description is missing"],
    },
    {
      changes: { mode: 1, blocker: { ...blocker, detected_at: "x" } },
      says: ["mode is not of type string", "blocker.detected_at is not a time in ISO 8601"],
    },
  ])("is broken with $changes", ({ changes, says }) => {
    expect(problemsOf(changes)).toEqual(says);
  });

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
    const old = { ...toWireState(state), tasks_told_at: at.toISOString(), blocker_resolved_at: null };
    expect(parseWorkState(JSON.stringify(old))).toEqual({ type: "state", state, unknown: {}, warnings: [] });
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
    { case: "a time without an offset", changes: { saved_at: "2026-11-16T12:00:00" } },
    {
      case: "no git",
      changes: { git_branch: null, git_commit: null, openspec: null, openspec_status: null },
    },
  ])("is whole with $case", ({ changes }) => {
    expect(problemsOf(changes)).toEqual([]);
  });

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

it.each([
  { completed: 0, total: 0, percent: 0 },
  { completed: 5, total: 8, percent: 63 },
  { completed: 5, total: 12, percent: 42 },
  { completed: 7, total: 7, percent: 100 },
])("$completed of $total is $percent %", ({ completed, total, percent }) => {
  expect(percentOf(completed, total)).toBe(percent);
});
