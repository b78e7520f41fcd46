import { stepText } from "./assess/step-text.ts";
import { commandSteps } from "./shell/command-steps.ts";

/** What runs tests, as the first words of a command. */
const runners: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun|deno) (?:-\S+ )*(?:run(?:-script)? )?(?:-\S+ )*(?:test|t|tst)(?:[:\w-]*)(?: |$)/,
  /^(?:(?:pnpm|yarn|bun) )?(?:vitest|jest|mocha|ava|tap|tape|jasmine|playwright test|cypress run)(?: |$)/,
  /^node (?:\S+ )*--test(?: |$)/,
  /^(?:pytest|py\.test|tox|nox|nosetests)(?: |$)/,
  /^python[\d.]* (?:-\S+ )*?-m (?:pytest|unittest)(?: |$)/,
  /^python[\d.]* (?:\S*\/)?manage\.py test(?: |$)/,
  /^(?:cargo (?:\+\S+ )?(?:test|t|nextest)|go test|dotnet test|swift test|mix test|zig build test|bazel test)(?: |$)/,
  /^(?:ctest|gotestsum|meson test)(?: |$)/,
  /^(?:mvn|mvnw) (?:\S+ )*(?:test|verify|integration-test|surefire:test)(?: |$)/,
  /^(?:gradle|gradlew) (?:\S+ )*:?(?:[\w-]+:)*(?:test|check|\w+Test)(?: |$)/,
  /^(?:make|gmake|just|task|ninja|rake|rails|composer) (?:\S+ )*(?:tests?|check|spec)(?:[:-][\w:-]+)?(?: |$)/,
  /^cmake (?:\S+ )*(?:-t|--target) (?:test|check)(?: |$)/,
  /^(?:rspec|phpunit|pest|minitest)(?: |$)/,
];

/** Tells whether a command, its program by its bare name, runs tests. */
export function isTestStep(words: readonly string[]): boolean {
  const text = stepText(words);
  return runners.some((runner) => runner.test(text));
}

/** Tells whether a command line of a shell runs tests. */
export function isTestCommand(line: string): boolean {
  return commandSteps(line).some(({ words }) => isTestStep(words));
}
