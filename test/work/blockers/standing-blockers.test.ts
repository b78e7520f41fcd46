import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockerAfter, type TestOutcome } from "../../support/outcomes.ts";

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
