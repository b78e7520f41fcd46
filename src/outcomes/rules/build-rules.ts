import { toRules } from "../rule.ts";

const error =
  "(?:fatal error|error|오류|치명적 오류|エラー|致命的エラー|错误|致命错误|(?:[Ss]chwerwiegender )?Fehler|erreur|ошибка)";
/** A recipe whose failure its makefile allows for. */
const ignored = /^g?make(?:\[\d+\])?: \[.{1,300}\] \S{1,20} \d+ \(/;
const place = (extensions: string, position: string): string =>
  String.raw`^\S{1,300}\.(?:${extensions})${position}`;

/** How compilers name the place that they do not take. */
const compilerRules = toRules(
  { goal: "build", certainty: "diagnostic" },
  {
    "gcc or clang": {
      pattern: new RegExp(
        `${place("[cChmsS]|cc|cpp|cxx|c\\+\\+|hh|hpp|hxx|ipp|inl|inc|mm|cu|cuh|ixx|cppm|f|f90|y|l", "(?::\\d+){1,2}:")} ${error}: `,
      ),
      passed: ignored,
    },
    MSVC: {
      pattern: /^(?: {0,20}\d+>)?\S.{0,300}\(\d+(?:,\d+)?\) ?: (?:fatal )?error C\d{4}: /,
    },
    "C# compiler": {
      pattern: /^ {0,20}\S.{0,300}\(\d+,\d+\): error (?:CS|FS|BC)\d{4}: /,
    },
    "Go compiler": {
      pattern: /^(?:vet: )?(?:\.{1,2}\/)?[\w./-]{1,300}\.go:\d+:\d+: /,
      kinds: ["build", "lint", "run"],
    },
    TypeScript: {
      pattern:
        /^(?:\S.{0,300}(?:\(\d+,\d+\):|:\d+:\d+ -) )?error TS(?!50\d\d|6044|6053)\d{4,5}: |^TS\d{4,5} \[ERROR\]: /,
    },
    "javac, kotlinc or another compiler": {
      pattern: new RegExp(
        `${place("java|kts?|scala|swift|hs|zig|vala|proto|adb|d|nim|cr|ml", "(?::\\d+){1,2}:")} ${error}:|^e: (?:file://)?\\S{1,300}\\.kts?:`,
      ),
    },
  },
);

/** How linkers and build tools say that a build failed. */
const buildToolRules = toRules(
  { goal: "build", certainty: "summary" },
  {
    linker: {
      certainty: "diagnostic",
      pattern:
        /^\S{0,300}(?:ld|lld|gold|mold|ld64)(?:\.\w+)?: .{0,300}(?:undefined (?:reference|symbol)|multiple definition of|duplicate symbol|(?:cannot|unable to) find (?:library )?-l|error: )|^\S{1,300}[:)] undefined reference to |^Undefined symbols for architecture /,
    },
    "compiler driver": {
      pattern:
        /^(?:collect2: (?:error|fatal error|エラー|오류|错误|Fehler): ld |(?:clang|clang\+\+|clang-\d+): error: linker command failed|(?:cc1|cc1plus): all warnings being treated as errors)/,
      detail:
        /^.{0,300}(?:undefined reference to|cannot find -l|multiple definition of)|^ld\S{0,40}: error: |^\S{1,300}: error: /,
    },
    "link.exe": {
      certainty: "diagnostic",
      pattern: /^(?: {0,20}\d+>)?\S.{0,300} ?: (?:fatal )?error LNK\d{4}: /,
    },
    MSBuild: { pattern: /^Build FAILED\.$/, passed: /^Build succeeded\.$/ },
    CMake: {
      pattern: /^-- Configuring incomplete, errors occurred!|^CMake Generate step failed\./,
      detail:
        /^ {2}Could NOT find |^ {2}Could not find a package configuration file|^ {2}By not providing "|^CMake Error at (?!.*(?:FindPackage|\(find_package\)))|^CMake Error: (?!.*not set)/,
      passed: /^-- Generating done/,
      resolution:
        "Install what CMake could not find, or point CMAKE_PREFIX_PATH or the toolchain file to it; check the list of dependencies.",
    },
    meson: {
      pattern: /^(?:\S{1,300}\/)?meson\.build:\d+:\d+: ERROR: /,
    },
    configure: {
      pattern: /^configure: error: /,
    },
    rustc: {
      pattern: /^error: could not compile `|^error: aborting due to (?:\d+ |\w+ )?previous errors?/,
      detail: /^error(?:\[E\d{4}\])?: (?!could not compile|aborting due)/,
      partPassed: /^ {4}Finished `?\w/,
    },
    "Maven compiler": {
      pattern:
        /^\[ERROR\] COMPILATION ERROR :|^\[ERROR\] Failed to execute goal \S{0,200}(?:compiler|kotlin|scala)\S{0,200}/,
      detail: /^\[ERROR\] \S{1,300}\.(?:java|kt|scala):\[\d+,\d+\] /,
      passed: /^\[INFO\] BUILD SUCCESS$/,
    },
    Maven: {
      pattern:
        /^\[ERROR\] Failed to execute goal |^\[ERROR\] {3}The project \S{1,300} \(.{1,300}\) has [1-9]\d* errors?/,
      passed: /^\[INFO\] BUILD SUCCESS$/,
    },
    Gradle: {
      pattern:
        /^Execution failed for task '|^A problem occurred (?:evaluating|configuring) (?:root )?project|^Could not compile build file/,
      detail:
        /^\S{1,300}\.(?:java|scala|groovy):\d+: error: |^e: \S|^> (?!Task|Run with|Get more|Compilation failed)/,
      passed: /^BUILD SUCCESSFUL in /,
    },
    bundler: {
      pattern:
        /^(?:[✗x] )?Build failed in \d|^error during build:|^webpack \S{1,40} compiled with [1-9]\d* errors?|^Failed to compile\.$|^[✘X] \[ERROR\] /,
      detail: /^[✘X] \[ERROR\] |^\[(?:[A-Z_]{3,40}|plugin [^\]]{1,80})\] |^(?:Module not found: )?Error: /,
      passed: /^✓ built in /,
    },
    "Docker build": {
      pattern:
        /^(?:ERROR: )?failed to (?:solve|build): |^The command '.{1,300}' returned a non-zero code: [1-9]/,
      passed: /^#\d+ naming to \S{1,300}(?: [\d.]{1,10}s)? done$|^Successfully tagged \S/,
    },
    Bazel: {
      pattern: /^(?:FAILED|ERROR): Build did NOT complete successfully/,
      detail: /^ERROR: \S{1,300}\/BUILD(?:\.bazel)?:\d+:\d+: /,
      passed: /^INFO: Build completed successfully/,
    },
    Terraform: {
      pattern: /^│ Error: \S/,
      passed: /^Success! The configuration is valid|^Plan: \d+ to add|^No changes\. /,
      kinds: ["build"],
    },
    turbo: {
      pattern: /^ ?ERROR {2}run failed: command /,
      detail: /^Failed: {1,8}\S/,
      passed: /^ ?Tasks: {1,8}(\d+) successful, \1 total$/,
    },
    "Python build": {
      pattern: /^ERROR Backend subprocess exited|^ {0,2}× Failed to build `/,
      passed: /^Successfully built \S{1,300}\.(?:whl|tar\.gz)/,
    },
    "npm script": {
      pattern:
        /^npm (?:ERR!|error) (?:code ELIFECYCLE|Lifecycle script `(?:build|compile|prepare|prepack)[\w:-]*` failed)/,
    },
    ninja: {
      pattern: /^ninja: build stopped: |^ninja: error: .{1,300}, needed by .{1,300}missing and no known rule/,
    },
    "make test": {
      goal: "test",
      pattern: /^g?make: \*\*\* \[(?:\S{1,300}:\d+: )?(?:tests?|check|spec)[\w:-]{0,60}\] Error \d+$/,
      kinds: ["build", "test"],
    },
    make: {
      pattern:
        /^(?:g?make(?:\[\d+\])?: )\*\*\* (?:\[.{1,300}\] (?:(?:Error|エラー|오류|错误|Fehler|Erreur) \d+|(?!Terminated|Killed|Interrupt)[A-Z]\w+)|No rule to make target .{1,300}, needed by )|^\S{1,300}:\d+: \*\*\* .{1,300}\. {2}Stop\.$/,
      kinds: ["build", "test", "lint"],
    },
  },
);

export const buildRules = [...compilerRules, ...buildToolRules];

/** How linters and checkers of types say that they found errors: the code may run, but the check stops the work. */
export const lintRules = toRules(
  { goal: "lint", certainty: "summary" },
  {
    "golangci-lint": {
      pattern: /^[1-9]\d* issues:$/,
      detail: /^[\w./-]{1,300}\.go:\d+:\d+: .{1,600} \([\w-]{1,40}\)$/,
      passed: /^0 issues\.$/,
      kinds: ["lint", "commit"],
    },
    Credo: {
      pattern: /^\d+ mods\/funs, found [1-9]/,
      detail: /^┃ \[[A-Z]\] \S+ \S/,
      passed: /^\d+ mods\/funs, found no issues\./,
      kinds: ["lint", "commit"],
    },
    "ruff or black": {
      pattern: /^\d+ files? would be reformatted/,
      detail: /^(?:W|w)ould reformat:? \S/,
      passed: /^\d+ files? (?:already formatted|left unchanged|would be left unchanged)/,
      kinds: ["lint", "commit"],
    },
    "Dart analyzer": {
      pattern: /^\d+ issues? found\./,
      detail: /^ {2,4}(?:error|warning|info) [•-] /,
      passed: /^No issues found!/,
    },
    ESLint: {
      pattern: /^✖ \d+ problems? \([1-9]\d* errors?, /,
      detail: /^ +\d+:\d+ +error {2,20}\S/,
    },
    linter: {
      pattern:
        /^Found [1-9]\d* errors?(?: in \d+ files?.{0,100})?\.?$|^\d+ files? inspected, [1-9]\d* offenses? detected/,
      detail: /^\S{1,300}:\d+(?::\d+)?:? .{0,20}(?:error: |[A-Z]{1,4}\d{3,4} |[CWEF]: |lint\/)/,
      kinds: ["lint", "merge"],
    },
  },
);
