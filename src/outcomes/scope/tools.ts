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
  /** Options whose value names a part of the code, with blanks between them. */
  readonly narrowing?: string;
  /** Options whose value names a part that is left out. */
  readonly excluding?: string;
  /** Further options that have a value. */
  readonly valued?: string;
  /** A goal that a pass of this tool reaches besides its own: tests of a compiled language build it. */
  readonly implies?: Goal;
  /** Tests that others of the same language do not run. */
  readonly variant?: string;
}

/** A script of a package.json, by whatever runs it. */
const script = /^(?:npm|pnpm|yarn|bun) (?:-\S+ )*(?:run(?:-script)? )?(?:-\S+ )*([\w:.-]+)/;

/** Programs that run a task of the project by its name, in whatever language. */
const taskRunners: readonly Tool[] = [
  { name: "task", starts: /^just ([\w:.-]+)/, isRunner: true },
  { name: "task", starts: /^(?:task|rake|nox|tox|composer|rails)(?: ([\w:.-]+)|$)/, isRunner: true },
  {
    name: "make",
    starts: /^(?:make|gmake|ninja|meson compile)(?: |$)/,
    isRunner: true,
    valued: "-C -f -j -l",
  },
];

/** The tools of each language. Of those of one language the first row that fits decides. */
const toolsOf: Readonly<Record<string, readonly Tool[]>> = {
  js: [
    {
      name: "script",
      starts: script,
      isRunner: true,
      narrowing: "-w --workspace --filter -t -k --grep --project",
    },
    { name: "e2e", starts: /^(?:playwright test|cypress run)(?: |$)/, variant: "e2e" },
    {
      name: "js tests",
      starts:
        /^(?:vitest|jest|mocha|ava|tap|tape|jasmine|node(?= (?:\S+ )*--test))(?: (?:run|watch))?(?: |$)/,
      narrowing: "-t --testNamePattern -g --grep --project --test-name-pattern --testPathPattern --match",
      excluding: "--exclude --testPathIgnorePatterns",
    },
    { name: "tsc", starts: /^(?:tsc|vue-tsc)(?: |$)/, narrowing: "-p --project -b --build" },
    {
      name: "$1",
      starts: /^(eslint|biome|prettier|oxlint|stylelint|knip|webpack|vite|rollup|esbuild|tsup)(?: |$)/,
    },
  ],
  python: [
    {
      name: "pytest",
      starts: /^(?:pytest|py\.test|nosetests|unittest|python[\d.]* \S*manage\.py test)(?: |$)/,
      narrowing: "-k -m",
      excluding: "--deselect --ignore",
    },
    {
      name: "$1",
      starts: /^(ruff|mypy|pyright|flake8|pylint|black|isort)(?: check)?(?: |$)/,
    },
    {
      name: "pip",
      starts: /^(?:pip[\d.]*|pipx|uv|poetry|pipenv|pdm|conda|mamba)(?: |$)/,
    },
  ],
  go: [
    {
      name: "go",
      starts: /^(?:go test|gotestsum)(?: |$)/,
      implies: "build",
      narrowing: "-run --run -tags --tags",
      excluding: "-skip --skip",
      valued: "-count -timeout -parallel -p -coverprofile -covermode -bench",
    },
    {
      name: "go",
      starts: /^go (?:build|run|vet|install|generate|get|mod)(?: |$)/,
      valued: "-o -mod -ldflags",
    },
    { name: "$1", starts: /^(golangci-lint|staticcheck|gofmt|goimports)(?: run)?(?: |$)/ },
  ],
  rust: [
    {
      name: "cargo",
      starts: /^cargo (?:\+\S+ )?(?:test|t|nextest(?: run)?)(?: |$)/,
      implies: "build",
      narrowing: "-p --package --test --bin --example --features",
      excluding: "--skip --exclude",
    },
    {
      name: "cargo",
      starts: /^cargo (?:\+\S+ )?(?:build|b|check|c|rustc|run|r)(?: |$)/,
      narrowing: "-p --package --bin --example",
    },
    { name: "cargo $1", starts: /^cargo (?:\+\S+ )?(\w+)(?: |$)/, narrowing: "-p --package" },
  ],
  elixir: [
    {
      name: "mix",
      starts: /^mix test(?: |$)/,
      implies: "build",
      narrowing: "--only",
      excluding: "--exclude",
    },
    { name: "mix", starts: /^mix compile(?: |$)/ },
    { name: "mix $1", starts: /^mix (\w+)(?: |$)/ },
  ],
  jvm: [
    {
      name: "jvm",
      // Unless it is told to skip them, it runs the tests.
      starts:
        /^(?:mvn|mvnw|gradle|gradlew)(?!.* -(?:DskipTests|Dmaven\.test\.skip|x test))(?= (?:\S+ )*(?:build|check|package|verify|install)(?: |$))/,
      implies: "test",
      narrowing: "--tests -pl -Dtest",
    },
    {
      name: "jvm",
      starts: /^(?:mvn|mvnw|gradle|gradlew)(?: |$)/,
      implies: "build",
      narrowing: "--tests -pl -Dtest",
    },
  ],
  compiled: [
    {
      name: "$1",
      starts:
        /^(dotnet|swift|zig|bazel|dune|flutter|dart|terraform|tofu) (?:test|build|run|restore|add|check|analyze|compile|validate|plan)(?: |$)/,
      implies: "build",
      narrowing: "--filter",
    },
  ],
  c: [
    {
      name: "ctest",
      starts: /^(?:ctest|meson test)(?: |$)/,
      narrowing: "-R -L -I --tests-regex",
      excluding: "-E -LE --exclude-regex",
      valued: "--test-dir -C -j --timeout",
    },
    {
      name: "make",
      starts: /^cmake (?=--build(?: |$))/,
      narrowing: "-t --target",
      valued: "--config -j --parallel",
    },
    {
      name: "configure",
      starts: /^(?:cmake|meson setup|configure|autoreconf)(?: |$)/,
      valued: "-S -B -G -D",
    },
    {
      name: "compiler",
      starts: /^(?:(?:\w+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ld|nvcc|emcc)(?:-\d+)?)(?: |$)/,
      valued: "-o -I -L -l -include -isystem -x -MF -MT",
    },
  ],
  ruby: [
    { name: "bundle", starts: /^(?:gem|bundle|bundler)(?: |$)/ },
    { name: "rspec", starts: /^(?:rspec|minitest|ruby -Itest)(?: |$)/, narrowing: "-e --example --tag" },
  ],
  php: [{ name: "phpunit", starts: /^(?:phpunit|pest)(?: |$)/, narrowing: "--filter --testsuite --group" }],
};

/** Every tool, with the language whose code it checks. */
export const tools: readonly Tool[] = [
  ...taskRunners,
  ...Object.entries(toolsOf).flatMap(([ecosystem, rows]) => rows.map((row) => ({ ...row, ecosystem }))),
];

/** Options with a value that says nothing of which code is checked. */
export const valuedOptions =
  "-j -n -p -C --config --configuration --prefix --cwd --dir --manifest-path --target-dir --profile --reporter --outputFile --timeout --testTimeout --maxWorkers --workers --color --max-warnings --log-level --seed --ext --cov --tb --maxfail --rootDir -W -X --partitions";

/** Options whose value is the folder that is checked. */
export const placeOptions = "-C --prefix --cwd --dir --build --test-dir --directory";

/** Words that stand for the whole project. */
export const wholeProject =
  /^(?:\.|\.\/|\.\/\.\.\.|\.\.\.|\/\/\.\.\.|all|--all|build|check|package|verify|compile|(?:\.\/)?(?:src|lib|app|tests?|spec|packages|cmd|internal|pkg|source|__tests__)\/?(?:\.\.\.|\*\*?\/?|\*{1,2}(?:\/\*)?\.\S+)?)$/;

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
