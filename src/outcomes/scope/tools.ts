import type { Goal } from "../goal.ts";

/** A program that checks the code, and how its words are read. */
export interface Tool {
  /** Matches the words of a step up to where its arguments begin. */
  readonly starts: RegExp;
  /** By this name two spellings are one tool. */
  readonly name: string;
  /** The language whose code it checks; undefined for a program that runs a task of the project, in whatever language. */
  readonly ecosystem?: string;
  /** Runs a task of the project by its name, which the first group holds. */
  readonly isRunner?: true;
  /** Options whose value names a part of the code. */
  readonly narrowing?: RegExp;
  /** Further options that have a value. */
  readonly valued?: RegExp;
  /** A goal that a pass of this tool reaches besides its own: tests of a compiled language build it. */
  readonly implies?: Goal;
  /** Tests that others of the same language do not run. */
  readonly variant?: string;
}

const script = String.raw`(?:-\S+ )*(?:run(?:-script)? )?(?:-\S+ )*`;

/** The first row that fits decides. */
export const tools: readonly Tool[] = [
  {
    starts: new RegExp(`^(?:npm|pnpm|yarn|bun) ${script}([\\w:.-]+)`),
    ...{ name: "script", ecosystem: "js", isRunner: true },
    narrowing: /^(?:-w|--workspace|--filter|-t|-k|--grep|--project)$/,
  },
  { starts: /^just ([\w:.-]+)/, name: "task", isRunner: true },
  { starts: /^(?:task|rake|nox|tox|composer|rails)(?: ([\w:.-]+)|$)/, name: "task", isRunner: true },
  {
    starts:
      /^(?:pytest|py\.test|nosetests|python[\d.]* (?:-\S+ )*?-m (?:pytest|unittest)|python[\d.]* \S*manage\.py test)(?: |$)/,
    ...{ name: "pytest", ecosystem: "python", narrowing: /^(?:-k|-m|--deselect|--ignore)$/ },
  },
  { starts: /^(?:playwright test|cypress run)(?: |$)/, name: "e2e", ecosystem: "js", variant: "e2e" },
  {
    starts:
      /^(?:(?:pnpm|yarn|bun) )?(?:vitest|jest|mocha|ava|tap|tape|jasmine|node(?= (?:\S+ )*--test))(?: (?:run|watch))?(?: |$)/,
    ...{ name: "js tests", ecosystem: "js" },
    narrowing: /^(?:-t|--testNamePattern|-g|--grep|--project|--test-name-pattern|--testPathPattern|--match)$/,
  },
  {
    starts: /^(?:(?:pnpm|yarn|bun) )?(?:tsc|vue-tsc)(?: |$)/,
    ...{ name: "tsc", ecosystem: "js", narrowing: /^(?:-p|--project|-b|--build)$/ },
  },
  {
    starts:
      /^(?:(?:pnpm|yarn|bun) )?(eslint|biome|prettier|oxlint|stylelint|knip|webpack|vite|rollup|esbuild|tsup)(?: |$)/,
    name: "$1",
    ecosystem: "js",
  },
  {
    starts: /^(?:go test|gotestsum)(?: |$)/,
    ...{ name: "go", ecosystem: "go", implies: "build" },
    narrowing: /^-{1,2}(?:run|skip|tags)$/,
    valued: /^-(?:count|timeout|parallel|p|coverprofile|covermode|bench)$/,
  },
  {
    starts: /^go (?:build|run|vet|install|generate|get|mod)(?: |$)/,
    name: "go",
    ecosystem: "go",
    valued: /^-(?:o|mod|ldflags)$/,
  },
  { starts: /^(golangci-lint|staticcheck|gofmt|goimports)(?: run)?(?: |$)/, name: "$1", ecosystem: "go" },
  {
    starts: /^cargo (?:\+\S+ )?(?:test|t|nextest(?: run)?)(?: |$)/,
    ...{ name: "cargo", ecosystem: "rust", implies: "build" },
    narrowing: /^(?:-p|--package|--test|--bin|--example|--features)$/,
  },
  {
    starts: /^cargo (?:\+\S+ )?(?:build|b|check|c|rustc|run|r)(?: |$)/,
    ...{ name: "cargo", ecosystem: "rust", narrowing: /^(?:-p|--package|--bin|--example)$/ },
  },
  {
    starts: /^cargo (?:\+\S+ )?(\w+)(?: |$)/,
    name: "cargo $1",
    ecosystem: "rust",
    narrowing: /^(?:-p|--package)$/,
  },
  {
    starts: /^mix test(?: |$)/,
    name: "mix",
    ecosystem: "elixir",
    implies: "build",
    narrowing: /^--(?:only|exclude)$/,
  },
  { starts: /^mix compile(?: |$)/, name: "mix", ecosystem: "elixir" },
  { starts: /^mix (\w+)(?: |$)/, name: "mix $1", ecosystem: "elixir" },
  {
    starts: /^(?:mvn|mvnw|gradle|gradlew)(?= (?:\S+ )*(?:build|check|package|verify|install)(?: |$))/,
    ...{ name: "jvm", ecosystem: "jvm", implies: "test", narrowing: /^(?:--tests|-pl|-Dtest)$/ },
  },
  {
    starts: /^(?:mvn|mvnw|gradle|gradlew)(?: |$)/,
    ...{ name: "jvm", ecosystem: "jvm", implies: "build", narrowing: /^(?:--tests|-pl|-Dtest)$/ },
  },
  {
    starts: /^dotnet (?:test|build|run|restore|add)(?: |$)/,
    name: "dotnet",
    ecosystem: "dotnet",
    implies: "build",
    narrowing: /^--filter$/,
  },
  {
    starts: /^swift (?:test|build)(?: |$)/,
    name: "swift",
    ecosystem: "swift",
    implies: "build",
    narrowing: /^--filter$/,
  },
  {
    starts: /^(?:ctest|meson test)(?: |$)/,
    name: "ctest",
    ecosystem: "c",
    narrowing: /^(?:-R|-E|-L|-I|--tests-regex)$/,
    valued: /^(?:--test-dir|-C|-j|--timeout)$/,
  },
  {
    starts: /^cmake (?=--build(?: |$))/,
    name: "make",
    ecosystem: "c",
    narrowing: /^(?:-t|--target)$/,
    valued: /^(?:--config|-j|--parallel)$/,
  },
  {
    starts: /^(?:cmake|meson setup|configure|autoreconf)(?: |$)/,
    name: "configure",
    ecosystem: "c",
    valued: /^-[SBGD]$/,
  },
  {
    starts: /^(?:make|gmake|ninja|meson compile)(?: |$)/,
    name: "make",
    isRunner: true,
    valued: /^(?:-C|-f|-j|-l)$/,
  },
  {
    starts: /^(?:(?:\w+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ld|nvcc|emcc)(?:-\d+)?)(?: |$)/,
    ...{ name: "compiler", ecosystem: "c", valued: /^-(?:o|I|L|l|include|isystem|x|MF|MT)$/ },
  },
  {
    starts: /^(ruff|mypy|pyright|flake8|pylint|black|isort)(?: check)?(?: |$)/,
    name: "$1",
    ecosystem: "python",
  },
  {
    starts: /^python[\d.]* -m (ruff|mypy|flake8|pylint|black|isort)(?: check)?(?: |$)/,
    name: "$1",
    ecosystem: "python",
  },
  {
    starts: /^(?:pip[\d.]*|python[\d.]* -m pip|pipx|uv|poetry|pipenv|pdm|conda|mamba)(?: |$)/,
    ...{ name: "pip", ecosystem: "python" },
  },
  { starts: /^(?:gem|bundle|bundler)(?: |$)/, name: "bundle", ecosystem: "ruby" },
  {
    starts: /^(?:rspec|minitest|ruby -Itest)(?: |$)/,
    name: "rspec",
    ecosystem: "ruby",
    narrowing: /^(?:-e|--example|--tag)$/,
  },
  {
    starts: /^(?:phpunit|pest)(?: |$)/,
    name: "phpunit",
    ecosystem: "php",
    narrowing: /^--(?:filter|testsuite|group)$/,
  },
];

/** Options with a value that says nothing of which code is checked. */
export const valuedOptions =
  /^(?:-j|-n|-p|-C|--config|--configuration|--prefix|--cwd|--dir|--manifest-path|--target-dir|--profile|--reporter|--outputFile|--timeout|--testTimeout|--maxWorkers|--workers|--color|--max-warnings|--log-level|--seed|--ext|--cov|--tb|--maxfail|--rootDir|-W|-X|--partitions)$/;

/** Options whose value is the folder that is checked. */
export const placeOptions = /^(?:-C|--prefix|--cwd|--dir|--build|--test-dir|--directory)$/;

/** Words that stand for the whole project. */
export const wholeProject =
  /^(?:\.|\.\/|\.\/\.\.\.|\.\.\.|all|--all|build|check|package|verify|compile|(?:\.\/)?(?:src|lib|app|tests?|spec|packages|cmd|internal|pkg|source|__tests__)\/?(?:\.\.\.|\*\*?\/?|\*{1,2}(?:\/\*)?\.\S+)?)$/;

/** The rows of the rule tables that speak for a tool, by its name. */
export const reporters: Readonly<Record<string, RegExp>> = {
  pytest: /^(?:pytest|unittest)$/,
  "js tests": /^(?:vitest|Jest|Mocha|AVA|node --test or TAP|Bun or Deno)$/,
  tsc: /^TypeScript$/,
  eslint: /^ESLint$/,
  go: /^(?:go test|Go compiler|go test, build)$/,
  cargo: /^(?:cargo test|cargo nextest|rustc)$/,
  mix: /^ExUnit$/,
  ctest: /^CTest$/,
  "golangci-lint": /^golangci-lint$/,
};

/** Suites and projects that a plain run leaves out. */
export const separateSuite =
  /^(?:project |integration|e2e|browser|ui|slow|smoke|acceptance|bench|load|perf|system|canary)/;
