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
  // Seed 1: 6.2
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

  // Seed 1: 3.1, 3.2, 6.2, 6.3, 9.2
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
});

it.each([
  { completed: 0, total: 0, percent: 0 },
  { completed: 5, total: 8, percent: 63 },
  { completed: 5, total: 12, percent: 42 },
  { completed: 7, total: 7, percent: 100 },
])("$completed of $total is $percent %", ({ completed, total, percent }) => {
  expect(percentOf(completed, total)).toBe(percent);
});
