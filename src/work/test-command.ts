/** What runs tests, as the first words of a command or after `npx`, a script runner or a variable. */
const runners: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun|deno) (?:run )?(?:test|t)(?:[:\w-]*)(?: |$)/,
  /^(?:vitest|jest|mocha|ava|tap|playwright test|cypress run)(?: |$)/,
  /^node (?:\S+ )*--test(?: |$)/,
  /^(?:pytest|tox|nox|nosetests)(?: |$)/,
  /^python[\d.]* -m (?:pytest|unittest)(?: |$)/,
  /^(?:cargo (?:\+\S+ )?(?:test|nextest)|go test|dotnet test|swift test|mix test|zig build test|ctest)(?: |$)/,
  /^(?:mvn|mvnw|\.\/mvnw) (?:\S+ )*(?:test|verify)(?: |$)/,
  /^(?:gradle|\.\/gradlew) (?:\S+ )*(?::?(?:[\w-]+:)*)(?:test|check)(?: |$)/,
  /^(?:make|just|task|ninja) (?:\S+ )*(?:test|check)(?: |$)/,
  /^(?:rspec|phpunit|vendor\/bin\/phpunit|rake test|rails test)(?: |$)/,
];

/** Words that run the rest of a command. */
const lead =
  /^(?:(?:[A-Z_][A-Z\d_]*=\S* )|(?:env|time|nice|npx|bunx|pnpm exec|yarn exec|uv run|poetry run|bundle exec) )+/;

/** Tells whether a command line of a shell runs tests. */
export function isTestCommand(line: string): boolean {
  return line
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim().replace(/\s+/g, " ").replace(lead, ""))
    .some((part) => runners.some((runner) => runner.test(part)));
}
