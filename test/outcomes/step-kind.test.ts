import { expect, it } from "vitest";
import { stepKind } from "../../src/outcomes/assess/step-kind.ts";
import { commandSteps } from "../../src/outcomes/shell/command-steps.ts";

const kindsIn = (line: string) => commandSteps(line).map(stepKind);

it.each([
  ...["npm test", "npm t", "npm run test:unit", "pnpm test -- --run", "yarn test", "bun test", "deno test"],
  ...["npx vitest run src", "vitest", "CI=1 npx jest", "node --test", "node --import x --test test"],
  ...["pytest -q", "python3 -m pytest", "uv run pytest", "python -m unittest discover", "tox"],
  ...["cargo test", "cargo +nightly test --all", "go test ./...", "dotnet test", "ctest --test-dir build"],
  ...[
    "mvn -q test",
    "./gradlew :app:test",
    "gradle check",
    "make test",
    "make -j4 check",
    "rspec",
    "bundle exec rspec",
  ],
  ...["prove -lr t", "bats test", "stack test", "cabal v2-test", "dune runtest", "lein test", "gleam test"],
  ...["crystal spec", "nimble test", "sbt test", "ant test", "R CMD check .", "busted", "make -s t"],
  ...["julia --project -e 'using Pkg; Pkg.test()'", "rebar3 eunit", "perl -Ilib t/total.t", "zig test a.zig"],
  ...["./run-tests.sh", "sh scripts/test.sh -v", "bash run_all_tests.sh"],
  ...["cd app && npm test", "npm run build; npm test 2>&1 | tail", "time  npm   test"],
])("%s runs tests", (line) => {
  expect(kindsIn(line)).toContain("test");
});

it.each([
  ...[
    "npm install",
    "npm run build",
    "git commit -m 'npm test'",
    "echo npm test",
    "cat test/a.test.ts",
    "ls test",
  ],
  ...[
    "grep -r pytest .",
    "cargo build",
    "go build ./...",
    "make",
    "node test.js",
    "python test.py",
    "vitestx",
    "",
  ],
  ...[
    "pytest --version",
    "pytest --collect-only -q",
    "npm test -- --help",
    "command -v pytest",
    "npx vitest list",
  ],
  ...["go test -list . ./...", "cargo test --no-run", "make -n test", "ctest -N", "dotnet test --list-tests"],
  ...["jest --listTests", "mvn test --dry-run"],
])("%s does not", (line) => {
  expect(kindsIn(line)).not.toContain("test");
});

it("takes an option that only asks for one where it is a word of its own", () => {
  expect(["git commit -m 'say what --version prints'", "git commit --dry-run"].flatMap(kindsIn)).toEqual([
    "commit",
    "view",
  ]);
});
