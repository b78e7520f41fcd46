import { describe, expect, it } from "vitest";
import { followCommand, noChecks, standingFailures } from "../../src/outcomes/checks.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";

type Run = readonly [command: string, exitCode: number, output?: string];

const vitest = "      Tests  1 failed | 3 passed (4)\n";
const compiler = "main.c:3:5: error: x\nmake: *** [Makefile:3: app] Error 1\n";
const pytest = "FAILED tests/test_a.py::test_x - assert\n==== 1 failed, 2 passed in 0.1s ====\n";
const goTest = "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx/y\t0.1s\nFAIL\n";
const configuring = "CMake Error at CMakeLists.txt:3 (x):\n-- Configuring incomplete, errors occurred!\n";
const typeError = "src/a.ts(1,2): error TS2322: x\n";
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
    [["gradle build", 1, "Execution failed for task ':compileJava'.\n"], "gradle build -x test"],
    [["./gradlew test --tests A", 1, "3 tests completed, 1 failed\n"], "./gradlew build"],
    [["npx eslint src/a.ts", 1, eslint], "npm run lint"],
    [["npm run lint", 1, eslint], "npx eslint . --fix"],
    [["npm ci", 1, "npm error code EINTEGRITY\n"], "npm install"],
    [["npm test", 127, "sh: 1: vitest: not found\n"], "npm ci"],
    [["cmake -S . -B build && cmake --build build", 2, compiler], "cmake --build build"],
    [["cmake -S . -B build && cmake --build build", 1, configuring], "cmake -B build"],
    [["npm run build && ./tsc -p x", 2, typeError], "./tsc -p x"],
    [["npm run build && ./tsc -p x", 2, `${typeError}npm error code 2\n`], "npm run build"],
  ])("of %j after %s", (first, then) => {
    expect([standing(first), standing(first, [then, 0])]).toEqual([1, 0]);
  });
});

describe("a line that prints the exit code of a check", () => {
  it.each<readonly [line: string, output: string, count: number]>([
    ["npm test > out.log 2>&1; echo exit=$?", "exit=0\n", 0],
    ["npm test > out.log 2>&1; echo exit=$?", "exit=1\n", 1],
    ['npm test 2>&1 | tail -1; echo "code: $PIPESTATUS"', "x\ncode: 0\n", 0],
    ["npm test 2>&1 | tail -1; echo $?", "x\n0\n", 1],
    ["npm test > out.log 2>&1; git add .; echo $?", "0\n", 1],
  ])("says how it ended: %s, %j", (line, output, count) => {
    expect(standing(["npm test", 1, vitest], [line, 0, output])).toBe(count);
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
    [["cmake -S . -B build && cmake --build build", 2, compiler], "cmake -S . -B build"],
    [["npm run build && ./tsc -p x", 2, typeError], "npm run build"],
    [["npm test", 1, vitest], "npm test &"],
    [["pytest", 1, pytest], "pytest --ignore=tests/test_a.py"],
    [["cargo test", 101, "test result: FAILED. 1 passed; 1 failed\n"], "cargo test -- --skip parse"],
    [
      ["mvn test", 1, "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n"],
      "mvn package -DskipTests",
    ],
    [["gradle build", 1, "3 tests completed, 1 failed\n"], "gradle build -x test"],
    [["npm test", 1, vitest], "npm test 2>&1 | tail -20 > out.log"],
    [["pytest", 1, pytest], "pytest --version"],
    [["npx tsc", 2, typeError], "command -v tsc"],
    [["pip install x", 1, "ERROR: No matching distribution found for x\n"], "npm install"],
  ])("of %j after %s", (first, then) => {
    expect(standing(first, [then, 0])).toBe(1);
  });
});

describe("a runner that does not know what it is asked for", () => {
  it.each<readonly [command: string, output: string]>([
    ["make test", "make: *** No rule to make target `test'.  Stop."],
    ["make -C lib test", "make: *** Keine Regel, um „test“ zu erstellen.  Schluss."],
    ["make test && git commit -m x", "make: *** No rule to make target 'test'.  Stop."],
    ["npm run test:unit", "npm ERR! missing script: test:unit"],
    ["npm test:unit", 'Unknown command: "test:unit"'],
    [
      "pnpm -r test",
      'ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT  None of the packages has a "test" script: missing "test"',
    ],
    ["yarn test", 'Usage Error: Couldn\'t find a script named "test".'],
    ["just test", "error: justfile does not contain recipe `test`"],
    ["task test", 'task: Task "test" does not exist'],
    ["rake test", "rake aborted!\nDon't know how to build task 'test' (See the list of available tasks)"],
    [
      "./gradlew :app:test",
      "Cannot locate tasks that match ':app:test' as task 'test' not found in project ':app'.",
    ],
    [
      "mvn tset",
      '[ERROR] Unknown lifecycle phase "tset". You must specify a valid lifecycle phase or a goal',
    ],
    ["ant test", 'BUILD FAILED\nTarget "test" does not exist in the project "x".'],
    ["composer test", '  Command "test" is not defined.'],
    ["tox test", "ROOT: HandledError| provided environments not found in configuration file: ['test']"],
    ["cargo tset", "error: no such command: `tset`\n\n\tDid you mean `test`?"],
    ["lein test", "'test' is not a task. See 'lein help'."],
  ])("is no failure of the code: %s", (command, output) => {
    expect(standing([command, 1, output])).toBe(0);
  });

  it("is one where the script that was asked for calls another that is not there", () => {
    expect([
      standing(["make test", 2, 'npm error Missing script: "unit"\nmake: *** [Makefile:2: test] Error 1']),
      standing(["npm test", 1, 'error: no such file "fixture.bin"\n1 test failed']),
      standing([
        "git commit -m x",
        1,
        'npm error Missing script: "lint"\nhusky - pre-commit hook exited with code 1',
      ]),
      standing(["make lib.a", 2, "make: *** No rule to make target 'a.c', needed by 'lib.a'.  Stop."]),
    ]).toEqual([1, 1, 1, 1]);
  });

  it("neither fails nor passes a check that the user approved", () => {
    const check = (output: string) =>
      followCommand(noChecks, {
        ...{ command: "make test", exitCode: 2, output, at: new Date(0), approvedFor: "test" },
        entry: parseEntryId("run"),
      });
    const results = ["make: *** No rule to make target 'test'.  Stop.", "boom"].map(
      (output) => check(output).results.length,
    );
    expect(results).toEqual([0, 1]);
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
