import { toRules } from "../rule.ts";

/** How runners of tests say that tests failed. Most end with one summary, which decides. */
export const testRules = toRules(
  { goal: "test", certainty: "summary" },
  {
    "go test, build": {
      goal: "build",
      pattern: /^FAIL\t\S{1,300} \[(?:build|setup) failed\]$/,
      detail: /^(?:vet: )?(?:\.{1,2}\/)?[\w./-]{1,300}\.go:\d+:\d+: /,
    },
    "go test": {
      pattern: /^FAIL\t\S{1,300}\t[\d.]+s$|^FAIL$/,
      detail: /^ {0,40}--- FAIL: |^panic: /,
      partPassed: /^ok {2}\t\S{1,300}\t(?:[\d.]+s|\(cached\))/,
    },
    "cargo test": {
      pattern:
        /^test result: FAILED\. |^error: (?:test failed, to rerun pass|doctest failed, to rerun pass|\d+ targets? failed:)/,
      // The end of an output has the list of names alone.
      detail: /^test .{1,300} \.\.\. FAILED$|^ {4}\w{2,300}(?:::\w{1,300}){0,9}$/,
      partPassed: /^test result: ok\. /,
    },
    "cargo nextest": {
      pattern: /^ {0,20}Summary \[.{1,60}\] .{0,100}\b[1-9]\d* (?:failed|timed out)/,
      detail: /^ {0,20}(?:FAIL|TIMEOUT|SIGABRT) \[/,
      passed: /^ {0,20}Summary \[.{1,60}\] (?!.{0,100}\b(?:failed|timed out)\b).{0,60}\b\d+ passed/,
    },
    CTest: {
      // `ctest | grep FAILED` shows the last two alone.
      pattern:
        /^\d{1,3}% tests passed, [1-9]\d* tests? failed out of \d+|^The following tests FAILED:|^Errors while running CTest/,
      detail: /^\t? {0,9}\d+ - .{1,300} \((?!Disabled|Skipped)[^()]{1,60}\)$/,
      passed: /^100% tests passed/,
    },
    GoogleTest: {
      pattern: /^\[ {2}FAILED {2}\] \d+ tests?, listed below:/,
      detail: /^\[ {2}FAILED {2}\] \S{1,300}\.\S/,
      partPassed: /^\[ {2}PASSED {2}\] \d+ tests?\./,
    },
    "Catch2 or doctest": {
      pattern: /^(?:\[doctest\] )?test cases: {1,10}\d+ \| .{0,100}\b[1-9]\d* failed/,
      detail: /^\S{1,300}(?::\d+:|\(\d+\):) (?:FAILED:|ERROR: )/,
      passed: /^All tests passed \(|^\[doctest\] Status: SUCCESS!/,
    },
    pytest: {
      pattern:
        /^=+ (?:\d+ \w+, ){0,6}[1-9]\d* (?:failed|errors?)\b.{0,200} in [\d.]+s|^(?:\d+ \w+, ){0,6}[1-9]\d* (?:failed|errors?)\b.{0,200} in [\d.]+s/,
      detail: /^(?:FAILED|ERROR) \S/,
      passed: /^(?:=+ )?(?!.{0,200}\b(?:failed|errors?)\b)(?:\d+ \w+, ){0,6}\d+ passed\b.{0,200} in [\d.]+s/,
    },
    unittest: {
      pattern: /^FAILED \((?:failures|errors|unexpected successes|skipped|expected failures)=\d+/,
      detail: /^(?:FAIL|ERROR): \S/,
      passed: /^OK(?: \(.{1,100}\))?$/,
    },
    vitest: {
      pattern:
        /^ {0,10}(?:Test Files|Tests) {2}(?:\d+ \w+ \| )?[1-9]\d* failed\b|^ {0,10}Errors {2}[1-9]\d* errors?$/,
      detail: /^ {0,2}FAIL {2}\S|^ {0,10}× \S/,
      // A file that cannot be loaded fails, while all tests of the others have passed.
      passed: /^ {0,10}Test Files {2}(?!.{0,100}\bfailed\b)\d+ passed/,
    },
    Jest: {
      pattern: /^Tests?(?: Suites)?: {1,10}[1-9]\d* failed, /,
      detail: /^ {2}● \S/,
      passed: /^Test Suites: {1,10}(?!.{0,100}\bfailed\b).{0,60}\d+ passed, /,
    },
    Mocha: {
      pattern: /^ {1,4}[1-9]\d* failing$/,
      detail: /^ {2}\d+\) \S/,
      passed: /^ {1,4}\d+ passing \(/,
      partPassed: /^ {1,4}\d+ passing \(/,
    },
    "node --test or TAP": {
      pattern: /^(?:#|ℹ) (?:fail|cancelled) {1,4}[1-9]\d*$|^✖ failing tests:$|^test at \S.{0,300}:\d+:\d+$/,
      detail: /^ {0,40}(?:not ok \d+ (?:- )?\S|✖ (?!failing tests))/,
      passed: /^(?:#|ℹ) fail {1,4}0$|^# ok$/,
    },
    AVA: {
      pattern: /^ {1,4}[1-9]\d* (?:tests?|uncaught exceptions?|unhandled rejections?) failed$/,
      detail: /^ {1,4}✘ /,
    },
    "Bun or Deno": {
      pattern: /^ {0,2}[1-9]\d* fail$|^FAILED \| \d+ passed .{0,60}\| [1-9]\d* failed/,
      detail: /^\(fail\) |^.{1,300} \.\.\. FAILED \(/,
      passed: /^ok \| \d+ passed|^ {0,2}0 fail$/,
    },
    Playwright: { pattern: /^ {2}[1-9]\d* failed$/, detail: /^ {2,6}\d+\) \[|^ {4}\[\w+\] › / },
    "Surefire or JUnit": {
      pattern:
        /^(?:\[ERROR\] )?Tests run: \d+, {1,2}(?:Failures: [1-9]|Failures: 0, Errors: [1-9])|^\[ERROR\] Failed to execute goal \S{0,200}(?:surefire|failsafe)|^\[ {1,12}[1-9]\d* tests failed {1,12}\]/,
      detail: /^\[ERROR\] {3}\S{1,300}:\d+|^\d+\) \S{1,300}\(\S{1,300}\)$|^ {2}JUnit \S{1,20}:/,
      passed: /^\[INFO\] BUILD SUCCESS$|^OK \(\d+ tests?\)$/,
    },
    "Gradle tests": {
      pattern: /^\d+ tests? completed, [1-9]\d* failed|^> There were failing tests\./,
      detail: /^\S.{0,300} > .{1,300} FAILED$/,
      passed: /^BUILD SUCCESSFUL in /,
    },
    PHPUnit: {
      pattern: /^Tests: \d+, Assertions: \d+.{0,100}\b(?:Failures|Errors): [1-9]/,
      detail: /^\d+\) \S{1,300}::\S/,
      passed: /^OK \(\d+ tests?, /,
    },
    RSpec: {
      pattern:
        /^\d+ examples?, (?:[1-9]\d* failures?|0 failures, (?:\d+ pending, )?[1-9]\d* errors? occurred outside)/,
      detail: /^rspec \S{1,300} # |^An error occurred while loading /,
      passed: /^\d+ examples?, 0 failures(?:, \d+ pending)?$/,
    },
    "Minitest or test-unit": {
      pattern:
        /^\d+ (?:runs|tests), \d+ assertions, (?:[1-9]\d* failures, \d+ errors|0 failures, [1-9]\d* errors)/,
      detail: /^(?: {2}\d+\) )?(?:Failure|Error):/,
      passed: /^\d+ (?:runs|tests), \d+ assertions, 0 failures, 0 errors/,
    },
    ExUnit: {
      pattern: /^(?:\d+ doctests?, )?\d+ tests?, [1-9]\d* failures?/,
      detail: /^ {2}\d+\) (?:test|doctest) /,
      passed: /^(?:\d+ doctests?, )?\d+ tests?, 0 failures/,
    },
    "dotnet test": {
      pattern: /^Failed! {1,4}- Failed: {1,6}[1-9]/,
      detail: /^ {2}Failed \S/,
      partPassed: /^Passed! {1,4}- Failed: {1,6}0,/,
    },
    "Swift Testing": {
      pattern: /^✘ Test run with \d+ tests? .{0,60}failed after /,
      detail: /^✘ Test (?!run with).{1,200} recorded an issue /,
      passed: /^✔ Test run with \d+ tests? .{0,60}passed after /,
    },
    "Bazel tests": {
      pattern: /^Executed \d+ out of \d+ tests?: .{0,100}\bfails? |^INFO: Build completed, \d+ tests? FAILED/,
      detail: /^\/\/\S{1,300} {1,200}(?:FAILED|TIMEOUT|NO STATUS)/,
      passed: /^Executed \d+ out of \d+ tests?: (?!.{0,100}\bfails? ).{0,60}\bpass/,
    },
    "Flutter tests": {
      pattern: /^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: Some tests failed\./,
      detail: /^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: .{1,300} \[E\]$/,
      passed: /^\d\d:\d\d \+\d+(?: ~\d+)?: All tests passed!/,
    },
    XCTest: {
      pattern: /^\t? {0,10}Executed \d+ tests?, with [1-9]\d* failures? \(|^\*\* TEST FAILED \*\*$/,
      detail: /^\S{1,300}:\d+: error: /,
      passed: /^Test Suite 'All tests' passed at |^\*\* TEST SUCCEEDED \*\*$/,
    },
    "meson test or automake": {
      pattern: /^(?:Fail|Timeout|Unexpected Pass): {1,20}[1-9]\d* {0,20}$|^# (?:FAIL|ERROR): {1,4}[1-9]\d*$/,
      detail: /^ {0,6}\d+\/\d+ .{1,200}\b(?:FAIL|TIMEOUT|ERROR)\b|^FAIL: \S/,
      partPassed: /^Fail: {1,20}0 {0,20}$|^# FAIL: {1,4}0$/,
    },
    "prove or TAP": {
      pattern:
        /^Result: FAIL$|^not ok \d+\b(?!.{0,200}# (?:TODO|SKIP))|^# Looks like you failed \d+ tests? of \d+/,
      passed: /^Result: PASS$/,
      kinds: ["test"],
    },
  },
);

/** How what runs the script of a package says that its tests failed, whatever they are: often the last line of all. */
export const testScriptRules = toRules(
  { goal: "test", certainty: "summary" },
  {
    "test script": {
      pattern:
        /^npm (?:ERR!|error) (?:Test failed\. {1,2}See above|Lifecycle script `test[\w:-]{0,60}` failed)|^\s?ELIFECYCLE\s{1,2}Test failed\.|^error Command failed with exit code [1-9]\d{0,2}\.$/,
      kinds: ["test"],
    },
  },
);
