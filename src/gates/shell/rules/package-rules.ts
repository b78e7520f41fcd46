import { type Argument, equals } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { unknown, worst } from "../classification.ts";
import { isFlag } from "../flags.ts";
import { parseOptions } from "../options.ts";
import { always, listed, plainly, type Rule, type Rules } from "../rule.ts";
import { managing } from "./system-package-rules.ts";

const pip = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  long: ["--python", "--proxy", "--log", "--keyring-provider", "--cache-dir"],
  takesOptionsAnywhere: true,
  writes: ["--log"],
  runs: ["--python", "--keyring-provider"],
  reads: ["-V"],
  subcommands: {
    ...listed("reads", "list show freeze check search index help debug inspect hash"),
    ...listed("writes", "install uninstall download wheel lock"),
    config: bySubcommand({
      bare: "reads",
      otherwise: "writes",
      subcommands: listed("reads", "list get debug"),
    }),
    cache: bySubcommand({
      bare: "reads",
      otherwise: "writes",
      subcommands: listed("reads", "dir info list"),
    }),
  },
});

/** `uv run X`, `poetry run X`, `bundle exec X`: the tool of the project runs, whatever it is by that name. */
const runsTool =
  (short = "", long: readonly string[] = []): Rule =>
  (call) => {
    const words = byWords(call.args, short, long);
    return worst(call.runs(words), unknown(`What \`${call.name}\` runs comes with the project.`));
  };

function byWords(args: Parameters<Rule>[0]["args"], short: string, long: readonly string[]) {
  return parseOptions(args, { short, long, endsAtOperand: true }).operands;
}

/** Without one of these it may bring a lock file up to date. */
const locked = byOptions({ otherwise: "unknown", reads: ["--locked", "--frozen"] });

const python = (more: Rules, writers: string): Rule =>
  bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    short: "CP",
    long: ["--directory", "--project"],
    reads: ["-V"],
    subcommands: {
      ...listed("reads", "show help search check about"),
      version: byOptions({ otherwise: "reads", long: ["--bump"], writes: ["--bump"], writesFrom: 0 }),
      ...listed("writes", writers),
      ...more,
    },
  });

const cargo = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  short: "CZ",
  long: ["--config", "--color"],
  takesOptionsAnywhere: true,
  runs: ["--config"],
  reads: ["-V", "--list"],
  subcommands: {
    ...listed("reads", "search version locate-project read-manifest verify-project info help"),
    owner: byOptions({ otherwise: "reads", runs: ["-a", "--add", "-r", "--remove"] }),
    clippy: byOptions({ otherwise: "unknown", writes: ["--fix"] }),
    ...listed(
      "writes",
      "add rm remove install uninstall update fetch init new clean vendor generate-lockfile fix login logout package yank",
    ),
    metadata: locked,
    tree: locked,
    pkgid: locked,
    // Also behind the dashes, for the formatter itself.
    fmt: ({ name, args }) => {
      const isCheck = (word: Argument, before: string | undefined): boolean =>
        equals(word, "--check") &&
        (before === "--" || !/^--[^=]+$/.test(before ?? "") || isFlag(before ?? ""));
      return plainly(args.some((word, at) => isCheck(word, args[at - 1]?.text)) ? "reads" : "writes", name);
    },
  },
});

const go = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  short: "C",
  subcommands: {
    ...listed("reads", "version help"),
    doc: byOptions({ otherwise: "reads", hasOneDash: true, runs: ["-http"] }),
    list: byOptions({
      otherwise: "reads",
      hasOneDash: true,
      long: ["-f", "-C", "-tags"],
      runs: ["-export", "-compiled", "-toolexec", "-exec", "-overlay", "-mod", "-modfile"],
    }),
    ...listed("writes", "get install clean fix"),
    fmt: byOptions({ otherwise: "writes", hasOneDash: true, reads: ["-n"] }),
    env: byOptions({ otherwise: "reads", hasOneDash: true, writes: ["-w", "-u"] }),
    mod: bySubcommand({
      bare: "reads",
      otherwise: "writes",
      subcommands: listed("reads", "graph why verify"),
    }),
    work: always("writes"),
    build: byOptions({ otherwise: "unknown", hasOneDash: true, long: ["-o"], writes: ["-o"] }),
  },
});

/** Package managers: installing writes, asking reads, and what a package does when it is built is not known. */
export const packageRules: Rules = {
  pip,
  pip3: pip,
  uv: python(
    {
      pip: (call) => pip(call),
      tree: locked,
      run: runsTool("p", ["--with", "--python", "--extra", "--group"]),
    },
    "add remove sync lock venv init build publish cache self python",
  ),
  uvx: runsTool(),
  pipx: python(
    { list: always("reads"), run: runsTool() },
    "install uninstall upgrade upgrade-all reinstall inject ensurepath",
  ),
  poetry: python(
    {
      run: runsTool(),
      env: bySubcommand({ bare: "reads", otherwise: "writes", subcommands: listed("reads", "list info") }),
    },
    "add remove install update lock init new build publish sync",
  ),
  pipenv: python({ run: runsTool() }, "install uninstall update lock sync clean"),
  conda: python(
    {
      list: always("reads"),
      info: always("reads"),
      env: bySubcommand({ bare: "reads", otherwise: "writes", subcommands: listed("reads", "list") }),
    },
    "install remove update create clean upgrade uninstall",
  ),
  cargo,
  rustup: bySubcommand({
    bare: "reads",
    otherwise: "writes",
    reads: ["-V"],
    subcommands: {
      ...listed("reads", "show which help check"),
      ...listed("unknown", "run doc"),
      toolchain: bySubcommand({ bare: "reads", otherwise: "writes", subcommands: listed("reads", "list") }),
    },
  }),
  go,
  gem: managing(
    "list search info query specification contents dependency environment outdated which help",
    "install uninstall update cleanup pristine build push fetch unpack",
  ),
  bundle: bySubcommand({
    bare: "writes",
    otherwise: "unknown",
    subcommands: {
      ...listed("reads", "list show info outdated platform help version licenses"),
      ...listed("writes", "install update add remove lock init clean package cache pristine binstubs config"),
      exec: runsTool(),
    },
  }),
  composer: managing(
    "show info outdated validate licenses search depends why prohibits why-not status about audit check-platform-reqs diagnose suggests",
    "install update require remove init create-project dump-autoload dumpautoload self-update clear-cache config bump reinstall",
    { reads: ["--dry-run"] },
  ),
  // Given the folder of a build it makes one; it also builds, and runs scripts.
  cmake: byOptions({ otherwise: "unknown", attached: "BSDPG", writes: ["-B", "-S"] }),
  virtualenv: always("writes"),
  svn: managing(
    "status st stat info log diff blame annotate cat list ls proplist propget",
    "update up checkout co commit ci add delete rm revert merge switch copy move import export resolve cleanup",
    { runs: ["--diff-cmd", "--diff3-cmd", "--editor-cmd", "--config-option", "--config-dir"] },
  ),
  hg: managing(
    "status st log diff cat annotate blame heads identify id tip branches files manifest summary paths root",
    "commit ci add remove rm update up pull push clone merge revert rebase init import strip graft rename copy",
    { runs: ["--config", "--debugger", "--profile", "-o", "--output"] },
  ),
  ...listed(
    "unknown",
    "mvn mvnw gradle gradlew sbt ant bazel ninja ctest just task rake dotnet swift mix rebar3 stack cabal zig meson tox nox",
  ),
};
