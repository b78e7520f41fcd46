import { describe, expect, it } from "vitest";
import { followCommand, noChecks, standingFailures } from "../../src/outcomes/checks.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";

type Run = readonly [command: string, exitCode: number, output?: string];

const vitest = "      Tests  1 failed | 3 passed (4)\n";
const compiler = "main.c:3:5: error: x\nmake: *** [Makefile:3: app] Error 1\n";
const pytest = "FAILED tests/test_a.py::test_x - assert\n==== 1 failed, 2 passed in 0.1s ====\n";
const goTest = "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx/y\t0.1s\nFAIL\n";
const eslint = "✖ 1 problem (1 error, 0 warnings)\n";

const follow = (...runs: readonly Run[]) =>
  runs.reduce(
    (checks, [command, exitCode, output = ""], index) =>
      followCommand(checks, {
        ...{ command, exitCode, output, at: new Date(index) },
        entry: parseEntryId(`run-${index}`),
      }),
    noChecks,
  );
const standing = (...runs: readonly Run[]) => standingFailures(follow(...runs)).length;

describe("a failure is over", () => {
  it.each<readonly [first: Run, then: string]>([
    [["npm test", 1, vitest], "pnpm test"],
    [["yarn jest src/a.test.js", 1, "Tests:       1 failed, 2 total\n"], "yarn test"],
    [["pytest tests/test_a.py", 1, pytest], "uv run pytest"],
    [["go test ./pkg/a -run TestA", 1, goTest], "go test ./..."],
    [["go test ./...", 1, goTest], "go test ./x/y -run TestA"],
    [["./gradlew test --tests A", 1, "3 tests completed, 1 failed\n"], "./gradlew build"],
    [["npx eslint src/a.ts", 1, eslint], "npm run lint"],
    [["npm run lint", 1, eslint], "npx eslint . --fix"],
    [["npm ci", 1, "npm error code EINTEGRITY\n"], "npm install"],
    [["npm test", 127, "sh: 1: vitest: not found\n"], "npm ci"],
  ])("of %j after %s", (first, then) => {
    expect([standing(first), standing(first, [then, 0])]).toEqual([1, 0]);
  });
});

describe("a failure stands", () => {
  it.each<readonly [first: Run, then: string]>([
    [["pytest", 1, pytest], "npm test"],
    [["go test ./...", 1, goTest], "go test ./x/y -run TestB"],
    [["make", 2, compiler], "make clean"],
    [["docker build .", 1, "ERROR: failed to solve: x\n"], "npm run build"],
    [["npx playwright test", 1, "  1 failed\n    [c] › a\n"], "npx vitest run"],
    [["npm run test:e2e", 1, vitest], "npm test"],
    [["npm test", 1, vitest], "npm run build"],
    [["pip install x", 1, "ERROR: No matching distribution found for x\n"], "npm install"],
  ])("of %j after %s", (first, then) => {
    expect(standing(first, [then, 0])).toBe(1);
  });
});

it("keeps how a check is run again, and the line that says how it ended", () => {
  const runs = follow(
    ["cd web && MIX_ENV=test mix test test/a_test.exs 2>&1 | tail -5", 0, "..\n2 tests, 0 failures\n"],
    ["time ./gradlew build > out.log", 0, ""],
  );
  expect(runs.results.map(({ goal, command, line, isWide }) => ({ goal, command, line, isWide }))).toEqual([
    {
      goal: "test",
      command: "cd web && MIX_ENV=test mix test test/a_test.exs",
      line: "2 tests, 0 failures",
      isWide: false,
    },
    { goal: "build", command: "./gradlew build", line: "", isWide: true },
  ]);
});

it("is plain data, and bounded", () => {
  const checks = follow(
    ...Array.from({ length: 99 }, (_, index): Run => [`pytest tests/test_${index}.py`, 0]),
  );
  expect([checks.results.length, JSON.parse(JSON.stringify(checks))]).toEqual([40, checks]);
});
