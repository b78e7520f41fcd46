import { expect, it } from "vitest";
import { rules } from "../../src/outcomes/assess/find-rule.ts";
import { blockerIn } from "../support/outcomes.ts";

/** Of each tool that ends a good run with words of its own: a command, and its last words on a bad and on a good run. */
const endings: Readonly<Record<string, readonly [command: string, bad: string, good: string]>> = {
  "Maven dependencies": ["mvn compile", "[ERROR] Could not find artifact a:b:jar:1", "[INFO] BUILD SUCCESS"],
  "Gradle dependencies": [
    "gradle build",
    "> Could not resolve all files for configuration ':a'.",
    "BUILD SUCCESSFUL in 2s",
  ],
  "gcc or clang": ["make", "a.c:1:2: error: x", "make: [Makefile:2: a] Error 1 (ignored)"],
  "golangci-lint": ["golangci-lint run", "2 issues:", "0 issues."],
  Credo: ["mix credo", "3 mods/funs, found 1 warning.", "3 mods/funs, found no issues."],
  MSBuild: ["msbuild", "Build FAILED.", "Build succeeded."],
  CMake: ["cmake -B build", "-- Configuring incomplete, errors occurred!", "-- Generating done"],
  "Maven compiler": ["mvn compile", "[ERROR] COMPILATION ERROR : ", "[INFO] BUILD SUCCESS"],
  Maven: ["mvn package", "[ERROR] Failed to execute goal a:b:1:c", "[INFO] BUILD SUCCESS"],
  Gradle: ["gradle build", "Execution failed for task ':a'.", "BUILD SUCCESSFUL in 2s"],
  bundler: ["vite build", "✗ Build failed in 12ms", "✓ built in 12ms"],
  Bazel: [
    "bazel build //...",
    "FAILED: Build did NOT complete successfully",
    "INFO: Build completed successfully, 2 actions",
  ],
  gh: ["gh run view 12345", "X main CI · 12345", "✓ main CI · 12346"],
  "cargo nextest": [
    "cargo nextest run",
    "     Summary [   0.004s] 2 tests run: 1 passed, 1 failed, 0 skipped",
    "     Summary [   0.004s] 2 tests run: 2 passed, 0 skipped",
  ],
  XCTest: ["xcodebuild test", "** TEST FAILED **", "** TEST SUCCEEDED **"],
  CTest: ["ctest", "50% tests passed, 1 tests failed out of 2", "100% tests passed, 0 tests failed out of 2"],
  "Catch2 or doctest": [
    "make test",
    "test cases: 2 | 1 passed | 1 failed",
    "All tests passed (2 assertions in 2 test cases)",
  ],
  pytest: ["pytest", "=== 1 failed, 2 passed in 0.12s ===", "=== 3 passed, 1 xfailed in 0.12s ==="],
  unittest: ["python -m unittest", "FAILED (failures=1)", "OK (skipped=1)"],
  vitest: ["vitest run", "      Tests  1 failed | 3 passed (4)", " Test Files  2 passed (2)"],
  Jest: [
    "jest",
    "Tests:       1 failed, 1 passed, 2 total",
    "Test Suites: 1 skipped, 2 passed, 2 of 3 total",
  ],
  Mocha: ["mocha", "  1 failing", "  2 passing (3ms)"],
  "node --test or TAP": ["node --test", "ℹ fail 1", "ℹ fail 0"],
  "Bun or Deno": ["deno test", "FAILED | 1 passed | 1 failed (5ms)", "ok | 2 passed | 0 failed (5ms)"],
  "Surefire or JUnit": [
    "mvn test",
    "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0",
    "[INFO] BUILD SUCCESS",
  ],
  "Gradle tests": ["gradle test", "2 tests completed, 1 failed", "BUILD SUCCESSFUL in 2s"],
  PHPUnit: ["phpunit", "Tests: 2, Assertions: 2, Failures: 1.", "OK (2 tests, 2 assertions)"],
  RSpec: ["rspec", "2 examples, 1 failure", "2 examples, 0 failures"],
  "Minitest or test-unit": [
    "rake test",
    "2 runs, 2 assertions, 1 failures, 0 errors, 0 skips",
    "2 runs, 2 assertions, 0 failures, 0 errors, 0 skips",
  ],
  "prove or TAP": ["prove -lr t", "Result: FAIL", "Result: PASS"],
  "Swift Testing": [
    "swift test",
    "✘ Test run with 9 tests failed after 0.012 seconds with 1 issue.",
    "✔ Test run with 9 tests passed after 0.011 seconds.",
  ],
  "Bazel tests": [
    "bazel test //...",
    "INFO: Build completed, 1 test FAILED, 2 total actions",
    "Executed 0 out of 3 tests: 3 tests pass.",
  ],
  "Flutter tests": ["flutter test", "00:03 +7 -1: Some tests failed.", "00:03 +8: All tests passed!"],
  "Docker build": [
    "docker build .",
    "failed to solve: process x",
    "#9 naming to docker.io/library/shop:latest done",
  ],
  Terraform: [
    "terraform plan",
    "│ Error: Invalid count argument",
    "Plan: 1 to add, 0 to change, 0 to destroy.",
  ],
  turbo: ["turbo run build", " ERROR  run failed: command  exited (2)", " Tasks:    5 successful, 5 total"],
  "Python build": ["uv build", "  × Failed to build `/a`", "Successfully built dist/a-1.0-py3-none-any.whl"],
  "ruff or black": ["ruff format --check", "1 file would be reformatted", "12 files already formatted"],
  "Dart analyzer": ["flutter analyze", "1 issue found. (ran in 2.1s)", "No issues found! (ran in 1.9s)"],
  ExUnit: ["mix test", "2 tests, 1 failure", "2 tests, 0 failures"],
};

it("is known of every tool that has one", () => {
  const tools = rules.flatMap(({ tool, passed }) => (passed === undefined ? [] : [tool]));
  expect(new Set(Object.keys(endings))).toEqual(new Set(tools));
});

// Seed 1: 9.4
it.each(Object.entries(endings))(
  "takes back an earlier one of %s, in a pipe",
  (tool, [command, bad, good]) => {
    const toolAfter = (...lines: readonly string[]) =>
      blockerIn({ command: `${command} 2>&1 | tail -20`, output: lines.join("\n"), exitCode: 0 })?.tool;
    expect([toolAfter(bad), toolAfter(good, bad), toolAfter(bad, good), toolAfter(good)]).toEqual([
      tool,
      tool,
      undefined,
      undefined,
    ]);
  },
);
