import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EntryId } from "../../../src/sessions/ids.ts";
import { blockerAfter, standingAfter, type TestOutcome, toOutcome } from "../../support/outcomes.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
const failedTest = "      Tests  1 failed | 3 passed (4)\n";
const conflict = "CONFLICT (content): Merge conflict in a.txt\n";
const compilerError = "main.c:3:5: error: expected expression\n";

/** What a command printed, and how it ended; one is run a minute. */
type Run = readonly [command: string, exitCode: number, output?: string | undefined];
const runs = (...list: readonly Run[]): readonly TestOutcome[] =>
  list.map(([command, exitCode, output = ""], minute) => ({ command, exitCode, output, at: at(minute) }));
const typeAfter = (...list: readonly Run[]) => blockerAfter(runs(...list))?.type;

it("returns a whole blocker", () => {
  expect(blockerAfter(runs(["npm test", 1, failedTest]))).toEqual({
    type: "test_failure",
    severity: "high",
    description: "Tests failed in `npm test`: Tests 1 failed | 3 passed (4)",
    errorPattern: "Tests 1 failed | 3 passed (4)",
    resolution: "Run the failing test alone, fix the code or the test, then run all tests again.",
    detectedAt: at(0),
    isAutoDetected: true,
    recoveryAgent: "tester",
    recoveryAttempted: 0,
    maxRecoveryAttempts: 3,
  });
});

describe("the newest outcome of the same command wins", () => {
  it.each([
    ["npm test", "npm test"],
    ["npm test", "cd app && npm test"],
    ["cd app && npm  test 2>&1 | tail -5", "CI=1 npm test"],
    ["npx vitest run", "vitest run"],
    ["npm test", "npm run build && npm test"],
    ["npm run build && npm test", "npm test"],
    ["npm test -- a.test.ts", "npm test"],
    ["go test -v ./pkg", "go test ./..."],
    ["cd web && npm test", "cd /home/ada/shop/web/ && npm test"],
    ["cd web && npm test", "cd .. && npm test"],
  ])("%s that failed is cleared by %s that passed", (first, then) => {
    expect([typeAfter([first, 1, failedTest]), typeAfter([first, 1, failedTest], [then, 0])]).toEqual([
      "test_failure",
      undefined,
    ]);
  });

  it.each([
    ["npm test", "npm test -- a.test.ts"],
    ["npm test", "npm run build"],
    ["npm test", "cat npm-test.log"],
    ["npm test", "echo npm test"],
    ["npm test", "git status"],
    ["cd web && npm test", "cd api && npm test"],
  ])("%s that failed is not cleared by %s", (first, then) => {
    expect(typeAfter([first, 1, failedTest], [then, 0])).toBe("test_failure");
  });

  it("a run that was stopped from outside clears nothing", () => {
    expect(typeAfter(["npm test", 1, failedTest], ["npm test", 143])).toBe("test_failure");
    const refused: TestOutcome = {
      command: "npm test",
      output: "The call was refused.",
      failed: true,
      at: at(9),
    };
    expect(blockerAfter([...runs(["npm test", 1, failedTest]), refused])?.type).toBe("test_failure");
  });

  it("the time counts, not the order of the list", () => {
    expect(blockerAfter(runs(["npm test", 0], ["npm test", 1, failedTest]).toReversed())?.detectedAt).toEqual(
      at(1),
    );
  });

  it("an install that worked clears one that named a package wrongly", () => {
    const missing = "ERROR: No matching distribution found for reqests\n";
    expect(typeAfter(["pip install reqests", 1, missing])).toBe("dependency");
    expect(
      typeAfter(["pip install reqests", 1, missing], ["python3 -m pip install requests", 0]),
    ).toBeUndefined();
  });

  it.each([
    "git commit -m x",
    "git merge --abort",
    "git rebase --continue",
    "git reset --hard",
    "git status",
  ])("%s clears a conflict", (command) => {
    expect(typeAfter(["git merge x", 1, conflict], [command, 0])).toBeUndefined();
  });

  // Seed 1: 9.5
  it("a later question to CI replaces the earlier answer", () => {
    const [bad, good] = ["failure", "success"].map(
      (word) => `[{"status":"completed","conclusion":"${word}"}]`,
    );
    const list = "gh run list --json status,conclusion";
    expect([typeAfter([list, 0, bad]), typeAfter([list, 0, bad], [`${list} -L 1`, 0, good])]).toEqual([
      "ci_failure",
      undefined,
    ]);
  });
});

describe("of several blockers", () => {
  it("the heaviest counts", () => {
    expect(typeAfter(["make", 2, compilerError], ["npm test", 1, failedTest])).toBe("build_error");
  });

  it("the newest counts when they weigh the same", () => {
    expect(typeAfter(["make", 2, compilerError], ["git merge x", 1, conflict])).toBe("merge_conflict");
    expect(typeAfter(["git merge x", 1, conflict], ["make", 2, compilerError])).toBe("build_error");
  });
});

describe("reports of agents", () => {
  const report = (agent: string, status: string, minute: number): TestOutcome => ({
    agent,
    text: `[WORKFLOW_STATUS]\nstatus: ${status}\ncontext: x\n`,
    at: at(minute),
  });

  it("count like commands, the newest of each agent", () => {
    expect(blockerAfter([report("tester", "FAILED", 1)])?.type).toBe("test_failure");
    expect(blockerAfter([report("tester", "FAILED", 1), report("tester", "READY", 2)])).toBeUndefined();
    expect(blockerAfter([report("tester", "FAILED", 1), report("devops", "READY", 2)])?.type).toBe(
      "test_failure",
    );
  });

  it("say nothing without a status", () => {
    const text: TestOutcome = { agent: "tester", text: "All is well.", at: at(3) };
    expect(blockerAfter([report("tester", "DECISION_NEEDED", 1), text])?.type).toBe("decision_required");
  });
});

describe("a failure", () => {
  const passes = Array.from({ length: 4 }, (_, index) => [`npm run lint -- ${index}`, 0] as const);

  it("weighs less once newer work came after it", () => {
    expect(blockerAfter(runs(["npm test", 1, failedTest], ["git commit -m x", 0]))).toMatchObject({
      ...{ type: "test_failure", severity: "medium", isStale: true },
    });
    expect(blockerAfter(runs(["npm test", 1, failedTest], ...passes))).toMatchObject({ isStale: true });
    expect(blockerAfter(runs(["npm test", 1, failedTest], ["npm run lint", 0]))?.severity).toBe("high");
  });

  it.each([
    { case: "a failed test", output: failedTest, after: [["high"], ["medium", "low"]] },
    { case: "a failed build", output: compilerError, after: [["critical"], ["high", "medium"]] },
  ])("weighs less still when it is more than a week old: $case", ({ output, after }) => {
    const severities = (now: Date, ...later: readonly Run[]) =>
      standingAfter({ outcomes: runs(["npm test", 1, output], ...later).map(toOutcome), now }).map(
        ({ severity }) => severity,
      );
    const days = (count: number) => new Date(at(5).getTime() + count * 24 * 3_600_000);
    const commit = ["git commit -m x", 0] as const;
    // What the newest work left does not fade: nothing has come after it.
    expect([severities(days(90)), [...severities(days(2), commit), ...severities(days(8), commit)]]).toEqual(
      after,
    );
  });

  it("never weighs less than nothing", () => {
    const outcomes = runs(["npx eslint .", 1, "✖ 1 problem (1 error, 0 warnings)\n"], ["git commit -m x", 0]);
    const [old] = standingAfter({
      outcomes: outcomes.map(toOutcome),
      now: new Date(Date.UTC(2027, 0, 1)),
    });
    expect(old).toMatchObject({ type: "review_blocked", severity: "low" });
  });

  it("stays resolved under the type that an older version gave it", () => {
    const text = "[WORKFLOW_STATUS]\nstatus: BLOCKED\ncontext: x\n";
    const outcomes = [toOutcome({ agent: "architect", text, at: at(1) })];
    const [blocker] = standingAfter({ outcomes });
    if (blocker === undefined) throw new Error("nothing failed");
    const resolution = { blocker: { ...blocker, type: "other" as const }, at: at(2) };
    expect([blocker.type, standingAfter({ outcomes, resolutions: [resolution] })]).toEqual([
      "review_blocked",
      [],
    ]);
  });

  it("of a commit counts when a check has refused it twice", () => {
    const refused = ["git commit -m x", 1, "pre-commit: no TODO\n"] as const;
    expect([typeAfter(refused), typeAfter(refused, refused)]).toEqual([undefined, "review_blocked"]);
    expect(typeAfter(refused, refused, ["git commit -m x", 0])).toBeUndefined();
    const tests = ["git commit -m x", 1, failedTest] as const;
    expect(typeAfter(tests, tests)).toBe("test_failure");
  });

  it("that somebody resolved takes with it everything older of its type", () => {
    const outcomes = runs(
      ["make a", 2, compilerError],
      ["make b", 2, compilerError],
      ["make c", 2, compilerError],
    );
    const [blocker] = standingAfter({ outcomes: outcomes.slice(0, 2).map(toOutcome) });
    if (blocker === undefined) throw new Error("nothing failed");
    const left = (minute: number) =>
      standingAfter({ outcomes: outcomes.map(toOutcome), resolutions: [{ blocker, at: at(minute) }] });
    expect(left(2).map(({ description }) => description)).toEqual([]);
    expect(left(1).map(({ detectedAt }) => detectedAt)).toEqual([at(2)]);
  });

  it("is over when a check passes that the user approved for its goal", () => {
    const outcomes = runs(["cd web && cmake --build out", 2, compilerError]).map(toOutcome);
    const check = { command: "./check", exitCode: 0, output: "", at: at(5), entry: "ent_run" as EntryId };
    const left = (name: "build" | "test") =>
      standingAfter({ outcomes, own: [{ ...check, check: name }] }).map(({ type }) => type);
    expect([left("test"), left("build")]).toEqual([["build_error"], []]);
  });
});

it("after every command has passed there is no blocker", () => {
  const command = fc.constantFrom("npm test", "make", "git merge x", "cargo build", "pip install x");
  const output = fc.constantFrom(
    failedTest,
    conflict,
    compilerError,
    "",
    "ERROR: No matching distribution found for x",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(command, fc.constantFrom(0, 1, 2), output)), (list) => {
      const passed = list.map(([line]) => [line, 0] as const);
      expect(blockerAfter(runs(...list, ...passed))).toBeUndefined();
    }),
  );
});

it("further runs of a command, before its last ones, change nothing that is told", () => {
  const command = fc.constantFrom("npm test", "make", "git commit -m x", "npm run lint", "ls");
  const run = fc.tuple(command, fc.constantFrom(0, 1), fc.constantFrom(failedTest, compilerError, ""));
  const told = (list: readonly Run[]) =>
    blockerAfter(runs(...list).map((each, index) => ({ ...each, at: at(1000 - list.length + index) })));
  fc.assert(
    fc.property(fc.array(run), run, fc.integer({ min: 1, max: 9 }), (list, [line, ...how], more) => {
      const again = Array.from({ length: 6 }, () => [line, ...how] as const);
      const further = Array.from({ length: more }, () => [line, 1, failedTest] as const);
      expect(told([...further, ...again, ...list])).toEqual(told([...again, ...list]));
    }),
  );
});
