import { describe, expect, it } from "vitest";
import { rules } from "../../src/outcomes/assess/find-rule.ts";
import { blockerAfter } from "../support/outcomes.ts";

const failed = "      Tests  1 failed | 3 passed (4)\n";
const passed = " Test Files  2 passed (2)\n      Tests  4 passed (4)\n";

/** What stands after a command failed and a later line ended with 0. */
function typeAfter(command: string, line: string, output: string) {
  const [first, then] = [new Date(0), new Date(1000)];
  return blockerAfter([
    { command, exitCode: 1, output: "", at: first },
    { command: line, exitCode: 0, output, at: then },
  ])?.type;
}

describe("a line that hides how the tests ended", () => {
  it.each([
    ...["npm test 2>&1 | tail -3", "npm test | head", "npm test | grep Test", "npm test | tee out.log"],
    ...["npm test > out.log 2>&1; echo done", "npm test > out.log 2>&1; tail -3 out.log", "npm test || true"],
    ...["npm test &", "npm test & wait", "npm test; git status", "! npm test", "timeout 60 npm test | tail"],
    ...["(npm test) | tail", "(cd x && npm test && echo ok) | tail", "{ npm test && echo ok; } | tail"],
    ...["bash -c 'npm test | tail'", "bash -c 'npm test; echo done'", "cd x && npm test | tail && git add ."],
    ...[
      "if npm test; then echo yes; fi",
      "if true; then npm test && ls; fi | cat",
      "(npm test || exit 1); ls",
    ],
    ...["npm test | tail && echo $PIPESTATUS", "set -e; npm test && ls; echo done", "ls || npm test"],
    ...[
      "for f in a; do npm test; done",
      "npm test && echo yes || echo no",
      "set +o pipefail; npm test | tail",
    ],
  ])("clears them only with the words of a pass: %s", (line) => {
    expect(
      ["", "> shop@1.0.0 test\n", failed, failed + passed, passed].map((output) =>
        typeAfter("npm test", line, output),
      ),
    ).toEqual(["test_failure", "test_failure", "test_failure", "test_failure", undefined]);
  });

  it.each([
    ...["npm test", "cd x && npm test", "timeout 60 npm test", "npm test > out.log 2>&1", "(npm test)"],
    ...[
      "set -o pipefail; npm test 2>&1 | tail -3",
      "npm test && git status",
      "npm test || exit 1",
      "ls; npm test",
    ],
    ...["npm test | tee out.log; exit $PIPESTATUS", "set -e; npm test; echo done", "bash -c 'npm test'"],
    ...[
      "set -o pipefail; (npm run build && npm test) | tail",
      "CI=1 npx --yes npm test",
      "(ls; npm test) && ls",
    ],
  ])("is none where the exit code is theirs: %s", (line) => {
    expect(typeAfter("npm test", line, "")).toBeUndefined();
  });

  it.each([
    ["another command may have printed them", "npm test | tail; cat old.log", passed],
    ["another run of tests may have printed them", "npm test > /dev/null; npm run test:web", passed],
    ["the line itself says them", "npm test > /dev/null 2>&1; echo 'OK (3 tests)'", "OK (3 tests)\n"],
    ["a loop may have run them before", "for d in a b; do npm test; done | tail -3", passed],
    ["another tool failed after them", "npm test | tail", `${passed}src/a.ts(1,2): error TS2322: x\n`],
    ["a makefile only let a failure pass", "npm test | tail", "make: [Makefile:2: a] Error 1 (ignored)\n"],
  ])("clears nothing where %s", (_, line, output) => {
    expect(typeAfter("npm test", line, output)).toBe("test_failure");
  });

  it("clears nothing with the end of a run in several packages, of which one before may have failed", () => {
    const command = "npm test --workspaces";
    expect(["tail -3", "cat"].map((filter) => typeAfter(command, `${command} | ${filter}`, passed))).toEqual([
      "test_failure",
      undefined,
    ]);
  });
});

/** Of each tool that tells of a good run in parts: a command, and what it says of one. */
const parts: Readonly<Record<string, readonly [command: string, good: string]>> = {
  "go test": ["go test ./...", "ok  \tshop/cart\t(cached)"],
  "cargo test": ["cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"],
  "dotnet test": ["dotnet test", "Passed!  - Failed:     0, Passed:    42, Skipped:     0, Total:    42"],
  GoogleTest: ["ctest -V", "[  PASSED  ] 3 tests."],
  Mocha: ["mocha", "  2 passing (3ms)"],
  "meson test or automake": ["make check", "# FAIL:  0"],
  rustc: ["cargo build", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.02s"],
  npm: ["npm ci", "added 12 packages, and audited 13 packages in 2s"],
  pnpm: ["pnpm install", "Done in 1.2s using pnpm v10.0.0"],
  yarn: ["yarn install", "Done in 1.23s."],
  pip: ["pip install requests", "Successfully installed requests-2.32.0"],
  gh: ["gh pr checks", "build\tpass\t12s\thttps://example.org/1"],
  "gh pr": ["gh pr view", "reviewers:\tada (Approved)"],
  "git merge": ["git commit -m x", "[main 1a2b3c4] x"],
  "git status": ["git status", "nothing to commit, working tree clean"],
};

/** How those fail that are not known by an exit code. */
const failures: Readonly<Record<string, string>> = {
  "gh pr checks": "build\tfail\t12s\thttps://example.org/1\n",
  "gh pr view": "reviewers:\tada (Changes requested)\n",
  "git commit -m x": "error: Committing is not possible because you have unmerged files.\n",
  "git status": "Unmerged paths:\n",
};

describe("what a tool says of a part of a good run", () => {
  it("is known of every tool that has it", () => {
    const tools = rules.flatMap(({ tool, partPassed }) => (partPassed === undefined ? [] : [tool]));
    expect(new Set(Object.keys(parts))).toEqual(new Set(tools));
  });

  it.each(Object.entries(parts))("counts of %s where its end is shown", (_, [command, good]) => {
    const at = (second: number) => new Date(second * 1000);
    const bad = { command, exitCode: 1, output: failures[command] ?? "", at: at(0) };
    const isClearedBy = (filter: string, output: string) =>
      blockerAfter([bad, { command: `${command} 2>&1 | ${filter}`, exitCode: 0, output, at: at(1) }]) ===
      undefined;
    expect([
      isClearedBy("tail -5", good),
      isClearedBy("grep -v x", good),
      isClearedBy("head -5", good),
    ]).toEqual([true, false, false]);
  });
});
