import type { Step } from "../shell/command-steps.ts";
import { stepText } from "./step-text.ts";

const script = String.raw`(?:npm|pnpm|yarn|bun) (?:-\S+ )*(?:run(?:-script)? )?(?:-\S+ )*`;

/**
 * What a command does, as far as its result matters. The first row that fits decides; the texts are the words of a step,
 * joined by blanks.
 */
const kinds = {
  // Shows text that is already there.
  view: [
    /^(?:cat|tac|nl|bat|batcat|less|more|head|tail|tee|grep|egrep|fgrep|zgrep|rg|ag|ack|awk|gawk|mawk|sed|cut|tr|sort|uniq|wc)(?: |$)/,
    /^(?:column|fold|fmt|rev|strings|xxd|hexdump|od|jq|yq|diff|cmp|comm|find|fd|tree|stat|file|du|df|man|info|tldr|zcat|iconv)(?: |$)/,
    /^(?:curl|wget|http|journalctl|dmesg|history|which|type|command|whatis|apropos|cowsay|figlet|yes|ps|env|printenv|vim?|nano)(?: |$)/,
    /^(?:docker|podman) (?:compose )?logs(?: |$)/,
    /^kubectl (?:logs|describe|get)(?: |$)/,
    /^git (?:-[cC] \S+ |-(?![cC] )\S+ )*(?:log|show|diff|blame|grep|shortlog|reflog|whatchanged|cat-file|format-patch|notes|describe)(?: |$)/,
    /^(?:npm|pnpm|yarn) (?:audit|ls|list|view|info|show|outdated|why|explain|help|search|pack|config|fund|docs)(?: |$)/,
    /^pip3? (?:list|show|freeze|check|help)(?: |$)/,
    /^(?:cargo|go|gh|rustc|gcc|g\+\+|clang|make|cmake|mvn|npm|node|tsc) (?:help|-h|doc|version|-v|-V)(?: |$)/,
    /^g?make (?:\S+ )*-n(?: |$)|^ctest (?:\S+ )*-N(?: |$)|^go test (?:\S+ )*-list(?: |=|$)|^vitest list(?: |$)/,
    /^gh (?:issue|api|gist|repo|search|browse|pr (?:diff|list|create|comment|checkout))(?: |$)/,
    /^gh run (?:\S+ )*(?:--log|--log-failed|download|rerun|cancel|delete)(?: |$)/,
  ],
  // Prints nothing that matters.
  quiet: [
    /^(?:cd|pushd|popd|export|unset|set|shopt|source|\.|alias|mkdir|rm|rmdir|cp|mv|ln|touch|chmod|chown|true|false|:|exit|sleep|wait)(?: |$)/,
    /^(?:echo|printf|pwd|ls|test|\[|\[\[|date|kill|trap|for|case|umask|hash|local|read|return|break|continue)(?: |$)/,
    /^git (?:-[cC] \S+ |-(?![cC] )\S+ )*(?:add|branch|checkout|switch|restore|fetch|tag|remote|config|rev-parse|init|clone|worktree|reset(?! (?:\S+ )*--(?:hard|merge))|rm|mv)(?: |$)/,
  ],
  commit: [/^git (?:-[cC] \S+ |-(?![cC] )\S+ )*commit(?: |$)/],
  merge: [
    /^git (?:-[cC] \S+ |-(?![cC] )\S+ )*(?:merge|rebase|cherry-pick|revert|pull|am|apply|stash (?:pop|apply)|reset (?:\S+ )*--(?:hard|merge))(?: |$)/,
  ],
  test: [
    /^(?:npm|pnpm|yarn|bun|deno) (?:-\S+ )*(?:run(?:-script)? )?(?:-\S+ )*(?:test|t|tst)(?:[:\w-]*)(?: |$)/,
    /^(?:(?:pnpm|yarn|bun) )?(?:vitest|jest|mocha|ava|tap|tape|jasmine|playwright test|cypress run)(?: |$)/,
    /^node (?:\S+ )*--test(?: |$)/,
    /^(?:pytest|py\.test|unittest|tox|nox|nosetests|behave|prove|bats|shellspec|busted|testament|elm-test|cucumber)(?: |$)/,
    /^(?:ant|sbt|stack|cabal|dune|lein|gleam|nimble|crystal|rebar3|flutter|dart|raco|zef|forge|opa|v|buck2|pants|luarocks|xcodebuild) (?:\S+ )*(?:v2-)?(?:test|tests|spec|runtest|eunit|ct)(?: |$)/,
    /^(?:R CMD check|zig test|perl (?:-\S+ )*(?:\S*\/)?t\/\S+\.t)(?: |$)/,
    /^(?:julia|Rscript) .*\b(?:Pkg\.test|test_(?:check|local|dir)|devtools::test)\(/,
    /^python[\d.]* (?:\S*\/)?manage\.py test(?: |$)/,
    /^(?:cargo (?:\+\S+ )?(?:test|t|nextest)(?! (?:\S+ )*--no-run)|go test(?! (?:\S+ )*-c(?: |$))|dotnet test|swift test|mix test|zig build test|bazel test)(?: |$)/,
    /^(?:ctest|gotestsum|meson test)(?: |$)/,
    /^(?:mvn|mvnw) (?:\S+ )*(?:test|verify|integration-test|surefire:test)(?: |$)/,
    /^(?:gradle|gradlew) (?:\S+ )*(?<!-x ):?(?:[\w-]+:)*(?:test|check|\w+Test)(?: |$)/,
    /^(?:make|gmake|just|task|ninja|rake|rails|composer) (?:\S+ )*(?:tests?|t|check|spec)(?:[:-][\w:-]+)?(?: |$)/,
    /^cmake (?:\S+ )*(?:-t|--target) (?:test|check)(?: |$)/,
    /^(?:rspec|phpunit|pest|minitest)(?: |$)/,
    // A script of the project's own.
    /^(?:(?:ba|da|z|k)?sh )?(?:\S*\/)?(?:run[-_]?)?(?:all[-_]?)?tests?\.(?:sh|bash|zsh)(?: |$)/,
  ],
  "git-status": [/^git (?:-[cC] \S+ |-(?![cC] )\S+ )*status(?: |$)/],
  ci: [/^gh (?:run|workflow|pr)(?: |$)/],
  install: [
    /^(?:npm|pnpm|yarn|bun) (?:-\S+ )*(?:install|i|ci|add|update|up|upgrade|uninstall|remove|rm|dedupe|link)(?: |$)/,
    /^(?:yarn|composer|bundle)$/,
    /^(?:pip[\d.]*|pipx|uv|poetry|pipenv|pdm|conda|mamba) (?:-\S+ )*(?:pip )?(?:install|sync|add|lock|update|download|wheel)(?: |$)/,
    /^cargo (?:\+\S+ )?(?:add|update|fetch|install|generate-lockfile|vendor)(?: |$)/,
    /^go (?:get|install|mod|work)(?: |$)/,
    /^(?:mvn|mvnw) (?:\S+ )*dependency:\S+(?: |$)/,
    /^(?:vcpkg|conan) (?:\S+ )*install(?: |$)/,
    /^(?:apt|apt-get|aptitude|dnf|yum|apk|brew|pacman|zypper) (?:\S+ )*(?:install|add|build-dep|-S)(?: |$)/,
    /^(?:gem|composer|bundle|bundler|mix|nuget|dotnet|pod) (?:install|require|update|restore|add|deps\.get)(?: |$)/,
  ],
  // Builds, and then starts the program itself.
  run: [
    /^(?:make|gmake|just|task|ninja) (?:\S+ )*(?:run|start|serve|dev|watch|demo|help|deploy|bench|clean)(?: |$)/,
    /^(?:cargo (?:\+\S+ )?(?:run|r|bench)|go (?:run|tool)|dotnet (?:run|watch)|swift run|zig run|bazel run)(?: |$)/,
    /^(?:gradle|gradlew) (?:\S+ )*(?:run|bootRun)(?: |$)/,
  ],
  lint: [
    /^(?:make|gmake|just|task|ninja|rake|composer) (?:\S+ )*(?:lint|fmt|format|typecheck|type-check|vet|style|credo)(?:[:-][\w:-]+)?(?: |$)/,
    /^mix (?:credo|format|dialyzer)(?: |$)/,
    new RegExp(`^${script}(?:lint|check|format|fmt|typecheck|type-check)(?:[:\\w-]*)(?: |$)`),
    /^(?:(?:pnpm|yarn|bun) )?(?:eslint|biome|prettier|standard|stylelint|oxlint|xo|knip|vue-tsc)(?: |$)/,
    /^(?:ruff|flake8|pylint|mypy|pyright|black|isort|rubocop|phpstan|psalm|shellcheck|golangci-lint|staticcheck|clang-tidy|cppcheck)(?: |$)/,
    /^(?:cargo (?:\+\S+ )?(?:fmt|clippy)|go vet|gofmt)(?: |$)/,
    /^pre-commit run(?: |$)/,
    /^(?:kubeconform|actionlint|hadolint|yamllint|ansible-lint|sqlfluff|buf|ktlint|swiftlint|swiftformat|tflint|markdownlint|vale)(?: |$)/,
    /^(?:flutter|dart) analyze(?: |$)|^(?:deno|helm) lint(?: |$)|^deno fmt (?:\S+ )*--check(?: |$)/,
  ],
  build: [
    new RegExp(`^${script}(?:build|compile|bundle|prepack|prepare|dist|ci|tsc|generate)(?:[:\\w-]*)(?: |$)`),
    /^(?:(?:\w+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ld|gfortran)(?:-\d+)?|cl(?:\.exe)?|link(?:\.exe)?|clang-cl|ar|nvcc|emcc)(?: |$)/,
    /^(?:make|gmake|nmake|ninja|cmake|cpack|meson|scons|bazel|buck2?|xmake|premake\d?|qmake\d?|configure|autoreconf|just|task)(?: |$)/,
    /^(?:msbuild(?:\.exe)?|devenv(?:\.com)?|xcodebuild|ant|sbt|stack|cabal|ghc|mcs|csc|kotlinc|scalac|swiftc|rustc|javac|zig|dune)(?: |$)/,
    /^(?:(?:pnpm|yarn|bun) )?(?:tsc|tsup|vite build|webpack|rollup|rolldown|esbuild|parcel build|next build|nuxt build|ng build|turbo|nx)(?: |$)/,
    /^cargo (?:\+\S+ )?(?:build|b|check|c|doc|rustc|package|publish|test)(?: |$)/,
    /^go (?:build|generate|test)(?: |$)/,
    /^(?:mvn|mvnw) (?:\S+ )*(?:compile|test-compile|package|install|deploy|clean)(?: |$)/,
    /^(?:gradle|gradlew) /,
    /^(?:dotnet|swift|mix|docker|podman|docker-compose|flutter|elm|gem|hugo|poetry|uv|pdm) (?:\S+ )*?(?:build|publish|compile|make)(?: |$)/,
    /^deno (?:check|compile)(?: |$)|^(?:terraform|tofu) (?:-\S+ )*(?:validate|plan)(?: |$)/,
    /^(?:python[\d.]* (?:\S*\/)?setup\.py|build|compileall|py_compile)(?: |$)/,
  ],
  // May do anything.
  script: [
    /^(?:(?:ba|da|z|k)?sh|python[\d.]*|node|ruby|php|perl|deno run|tsx|ts-node) (?:-(?!-?(?:c|e|p|r|eval|print)(?: |$))\S+ )*[^-\s]\S*\.\w+(?: |$)/,
    /^[\w.-]+\.(?:sh|bash|zsh|py|rb|pl|js|mjs|cjs|ts|bat|cmd|ps1)(?: |$)/,
    /^(?:java|vendor\/bin|rake|pre-commit|act|earthly|dagger)(?: |$)/,
    /^git (?:-[cC] \S+ |-(?![cC] )\S+ )*push(?: |$)/,
    new RegExp(`^${script}[\\w:.-]+(?: |$)`),
    // A program of the project's own, such as the tests that a build has made.
    /^[\w.-]*[Tt]ests?[\w.-]*(?: |$)/,
  ],
};

export type StepKind = keyof typeof kinds | "other";

const known = Object.keys(kinds) as readonly (keyof typeof kinds)[];

/** Options with which a tool tells of itself, or of what it would do, and does nothing. */
const asking =
  /^--(?:help|version|explain|dry-run|collect-only|co|list(?:-?tests)?|show-only|showConfig|print-config)(?:=|$)/i;

/** Tells what a step does. */
export function stepKind({ words }: Pick<Step, "words">): StepKind {
  const text = stepText(words);
  const kind = known.find((each) => kinds[each].some((pattern) => pattern.test(text))) ?? "other";
  return kind !== "quiet" && words.some((word) => asking.test(word)) ? "view" : kind;
}
