import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTelling, rules } from "../../src/outcomes/assess/find-rule.ts";
import { readBlockerFixtures } from "../support/blocker-fixtures.ts";
import { blockerIn } from "../support/outcomes.ts";

const failing = readBlockerFixtures("failing");
const harmless = readBlockerFixtures("harmless");
const typeOf = (result: Parameters<typeof blockerIn>[0]) => blockerIn(result)?.type ?? null;

/** A fixture whose text is not one line of a table or JSON, so that other text may stand around it. */
const mayBePadded = failing.filter(({ tool, output }) => tool !== "gh" && !output.startsWith("Exit code"));
const megabyte = "cc -O2 -c src/part.c -o build/part.o and no failure at all\n".repeat(17_000);

describe("the outputs of tools", () => {
  // Seed 1: 9.3, 9.4, 9.5
  it.each(failing)("$name is a blocker", (fixture) => {
    expect(typeOf(fixture)).toBe(fixture.expected);
  });

  // Seed 1: 9.3
  it.each(harmless)("$name is none", (fixture) => {
    expect(blockerIn(fixture)).toBeUndefined();
  });

  it("are at least sixty of each, most of them from real runs", () => {
    const real = failing.filter(({ origin }) => origin === "run here");
    expect([real.length >= 120, harmless.length >= 120]).toEqual([true, true]);
  });

  // Seed 1: 9.3
  it("reach every rule", () => {
    const results = readFileSync("test/fixtures/outcomes/written.jsonl", "utf8").trimEnd().split("\n");
    const written = results.flatMap((line) => JSON.parse(line).runs as (typeof failing)[number][]);
    const reached = new Set([...failing, ...written].map((result) => blockerIn(result)?.tool));
    expect(rules.map(({ tool }) => tool).filter((tool) => !reached.has(tool))).toEqual([]);
  });
});

describe("the same outputs", () => {
  it("are blockers with the line ends of Windows too", () => {
    const wrong = failing.filter(
      (fixture) =>
        typeOf({ ...fixture, output: fixture.output.replace(/\r?\n/g, "\r\n") }) !== fixture.expected,
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("are blockers in colours too", () => {
    const colour = (text: string) => text.replace(/^(.+)$/gm, "\u001B[1m\u001B[38;5;9m$1\u001B[0m\u001B[K");
    const wrong = mayBePadded.filter(
      (fixture) => typeOf({ ...fixture, output: colour(fixture.output) }) !== fixture.expected,
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    { where: "before a megabyte of other text", pad: (text: string) => `${text}\n${megabyte}` },
    { where: "after a megabyte of other text", pad: (text: string) => `${megabyte}${text}` },
  ])("are blockers $where", ({ pad }) => {
    const some = mayBePadded.filter((_, index) => index % 12 === 0);
    const wrong = some.filter(
      (fixture) => typeOf({ ...fixture, output: pad(fixture.output) }) !== fixture.expected,
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    ...[
      "cat build.log",
      "tail -50 out.txt | grep -i error",
      "git log -p",
      "git show HEAD",
      "echo $output",
      "less x",
    ],
    ...[
      "grep -rn 'npm test' .",
      "sed -n 1,80p make.log",
      "python3 -c 'print(1)'",
      "ssh host make",
      "curl -s $url",
      "",
    ],
    ...["git commit -m 'make && npm test'", "cat <<'EOF'\nnpm test\nmake\nEOF", "npm view x", "# make"],
  ])("are none when `%s` succeeded in showing them", (command) => {
    const wrong = failing.filter(({ output }) => blockerIn({ command, output, exitCode: 0 }) !== undefined);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    "make",
    "npm test",
    "npm ci",
    "git merge x",
    "cargo build && cargo test",
    "set -o pipefail; make | tail",
  ])("are none when `%s` succeeded", (command) => {
    const wrong = failing.filter(({ output }) => blockerIn({ command, output, exitCode: 0 }) !== undefined);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe("a detection", () => {
  // Seed 1: 4.2
  it("tells what failed in one sentence, how heavy it is and what to do", () => {
    const output = "main.c: In function ‘main’:\nmain.c:3:5: error: expected expression\n";
    expect(blockerIn({ command: "cd app && gcc  -c main.c", output, exitCode: 1 })).toEqual({
      type: "build_error",
      severity: "critical",
      description: "The build failed in `cd app && gcc -c main.c`: main.c:3:5: error: expected expression",
      errorPattern: "main.c:3:5: error: expected expression",
      resolution: "Fix the first error, then build again.",
      tool: "gcc or clang",
    });
  });

  it("names the failed test rather than the number of them", () => {
    const output = "FAILED test_a.py::test_x - assert 1 == 2\n=== 1 failed, 2 passed in 0.12s ===\n";
    expect(blockerIn({ command: "pytest", output, exitCode: 1 })?.errorPattern).toBe(
      "FAILED test_a.py::test_x - assert 1 == 2",
    );
  });

  it("cuts a long line, never inside a character", () => {
    const output = `main.c:3:5: error: ${"😀".repeat(500)}`;
    const pattern = blockerIn({ command: "make", output, exitCode: 2 })?.errorPattern ?? "";
    expect([pattern.length <= 200, pattern.endsWith("😀…")]).toEqual([true, true]);
  });

  it("holds no pattern when a build failed without a word", () => {
    expect(blockerIn({ command: "npm test", output: "", exitCode: 1 })).toEqual({
      type: "test_failure",
      severity: "high",
      description: "Tests failed in `npm test`.",
      resolution: "Run the failing test alone, fix the code or the test, then run all tests again.",
      tool: "test",
    });
  });

  it.each([
    ["npx eslint .", "✖ 3 problems (2 errors, 1 warning)\n", "medium"],
    ["make lint", "✖ 3 problems (2 errors, 1 warning)\nmake: *** [Makefile:2: lint] Error 1\n", "medium"],
    ["npm run lint", "", "medium"],
    ["npm run check", "src/a.ts:1:14 - error TS2322: x\n\nFound 1 error in src/a.ts:1\n", "critical"],
    ["npx tsc --pretty", "src/a.ts:1:14 - error TS2322: x\n\nFound 1 error in src/a.ts:1\n", "critical"],
  ])("weighs a linter less than a compiler: %s", (command, output, severity) => {
    expect(blockerIn({ command, output, exitCode: 1 })?.severity).toBe(severity);
  });
});

describe("a hidden exit code", () => {
  const summary = "      Tests  1 failed | 3 passed (4)\n";
  const passed = " Test Files  2 passed (2)\n      Tests  4 passed (4)\n";

  it.each([
    ...[
      "npm test | tail",
      "npm test; echo done",
      "npm test || true",
      "npm test > o.txt 2>&1; cat o.txt",
      "npm test |& cat",
    ],
    ...[
      "if npm test; then echo ok; fi",
      "bash -c 'cd a; npm test' | tail",
      "(cd a && npm test) | tail -3",
      "(cd a; npm test; echo done) | tail -3",
      "{ npm test; echo $?; } 2>&1 | tail",
      "for i in 1 2; do npm test; sleep 1; done | tail",
      "((npm test; true) | tail -9; echo done) | cat",
      "(npm test; true) > o.txt 2>&1; tail o.txt",
      "cd a && npm test 2>&1 | grep -E 'Tests|Files'",
      "npm test | head -50",
      "yes | npm test | tail",
      "npm run build 2>&1 | tail -3; npm test 2>&1 | tail -20",
      "npm test | tee o.txt; git status",
      "timeout -s KILL 60 npm test | tail",
      "timeout 60 npm test 2>&1 | tee log | tail -5",
    ],
  ])("leaves the summary to decide in `%s`", (command) => {
    expect([
      typeOf({ command, output: summary, exitCode: 0 }),
      typeOf({ command, output: `${summary}${passed}`, exitCode: 0 }),
    ]).toEqual(["test_failure", null]);
  });

  it.each([
    "npm test; cat old.log",
    "cat old.log; npm test | tail",
    "npm test | node filter.js",
    "bash -c 'cat old.log; npm test | tail'",
    "{ npm test; cat old.log; } | tail",
    "(cat old.log; npm test) | tail",
    "cat old.log | tail -3; npm test | tail",
    "npm test | tail; git log | head -3",
    "npm test; python x.py -c",
  ])("proves nothing in `%s`, where another command may have printed the summary", (command) => {
    expect(typeOf({ command, output: summary, exitCode: 0 })).toBe(null);
  });

  it.each([
    ["✖ failing tests:\n\ntest at a.test.js:3:1\n✖ adds (0.3ms)\n  Error: x\n", "✖ adds (0.3ms)"],
    ["test at a.test.js:3:1\n✖ adds (0.3ms)\n  Error: x\n      at a.test.js:4:9\n", "✖ adds (0.3ms)"],
    ["ℹ fail 0\nℹ cancelled 1\n", "ℹ cancelled 1"],
    ["FAIL\n", "FAIL"],
    ["ok  \tshop/cart\t0.1s\nFAIL\n", "FAIL"],
    ["npm error Test failed.  See above for more details.\n", undefined],
    ["npm error Lifecycle script `test` failed with error:\nnpm error code 1\n", undefined],
    [" ELIFECYCLE  Test failed. See above for more details.\n", undefined],
    ["error Command failed with exit code 1.\n", undefined],
    [" Test Files  1 failed | 1 passed (2)\n      Tests  3 passed (3)\n", undefined],
    ["Test Suites: 1 failed, 1 passed, 2 total\nTests:       3 passed, 3 total\n", undefined],
  ])("does not hide the end of a run that failed: %j", (output, line = output.split("\n")[0]?.trim()) => {
    const found = blockerIn({ command: "npm test 2>&1 | tail -20", output, exitCode: 0 });
    expect([found?.type, found?.errorPattern]).toEqual(["test_failure", line?.replace(/\s+/g, " ")]);
  });

  it("is no proof of a diagnostic that tests may print on purpose", () => {
    const output = "case.c:3:5: error: expected expression\n";
    expect(
      ["make", "make test", "./run.sh"].map((tool) => typeOf({ command: `${tool} | tail`, output })),
    ).toEqual(["build_error", null, null]);
  });

  it("is not there when nobody recorded it: then only a lone command's summary counts", () => {
    const commands = ["npm test", "cat old.log && npm test", "npm test && npm run build"];
    expect(commands.map((command) => typeOf({ command, output: summary }))).toEqual([
      "test_failure",
      null,
      "test_failure",
    ]);
  });

  it("does not turn the failure of a filter into that of the tests", () => {
    expect(typeOf({ command: "npm test | grep nothing", output: "", exitCode: 1 })).toBe(null);
  });
});

it("asks no rule about a line that the joined pattern does not match", () => {
  const lines = [...failing, ...harmless].flatMap(({ output }) =>
    output.split("\n").map((line) => line.trimEnd()),
  );
  const kinds = ["build", "test", "lint", "install", "script", "merge", "git-status", "ci", "run"] as const;
  const missed = lines.filter(
    (line) => rules.some(({ pattern }) => pattern.test(line)) && !kinds.some((kind) => isTelling(line, kind)),
  );
  expect(missed).toEqual([]);
});

it("answers for any command and any output", () => {
  const word = fc.constantFrom(
    "npm test",
    "make",
    "|",
    "&&",
    ";",
    "'",
    '"',
    "$(",
    "<<EOF",
    "\n",
    "(",
    "cd",
    "2>&1",
    "git",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(word, fc.string())),
      fc.string(),
      fc.integer({ min: 0, max: 255 }),
      (words, output, exitCode) => {
        const detection = blockerIn({ command: words.join(" "), output, exitCode });
        expect(detection === undefined || exitCode > 0 || words.length > 0).toBe(true);
      },
    ),
  );
});
