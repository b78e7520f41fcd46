import { equals } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { unknown, worst } from "../classification.ts";
import { parseOptions } from "../options.ts";
import { always, listed, plainly, type Rule, type Rules } from "../rule.ts";

const pip = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  long: ["--python", "--proxy", "--log"],
  writes: ["--log"],
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
  runs: ["--config"],
  reads: ["-V", "--list"],
  subcommands: {
    ...listed("reads", "search version locate-project read-manifest verify-project info help owner"),
    ...listed(
      "writes",
      "add rm remove install uninstall update fetch init new clean vendor generate-lockfile fix login logout package yank",
    ),
    metadata: locked,
    tree: locked,
    pkgid: locked,
    // Also behind the dashes, for the formatter itself.
    fmt: ({ name, args }) =>
      plainly(
        args.some((word, at) => equals(word, "--check") && !/^--[^=]+$/.test(args[at - 1]?.text ?? ""))
          ? "reads"
          : "writes",
        name,
      ),
  },
});

const go = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  short: "C",
  subcommands: {
    ...listed("reads", "version doc help"),
    list: byOptions({
      otherwise: "reads",
      hasOneDash: true,
      long: ["-f", "-C", "-tags"],
      runs: ["-export", "-compiled", "-toolexec", "-exec", "-overlay"],
    }),
    ...listed("writes", "get install clean fix"),
    fmt: byOptions({ otherwise: "writes", hasOneDash: true, reads: ["-n"] }),
    env: byOptions({ otherwise: "reads", writes: ["-w", "-u"] }),
    mod: bySubcommand({
      bare: "reads",
      otherwise: "writes",
      subcommands: listed("reads", "graph why verify"),
    }),
    work: always("writes"),
    build: byOptions({ otherwise: "unknown", hasOneDash: true, long: ["-o"], writes: ["-o"] }),
  },
});

/** Returns the rule of a manager by its subcommands, and by the options with which it only says what it would do. */
const system = (readers: string, writers: string, dry: readonly string[] = []): Rule =>
  bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    short: "otc",
    subcommands: {
      ...listed("reads", readers),
      ...Object.fromEntries(
        writers
          .split(" ")
          .map((name) => [name, byOptions({ otherwise: "writes", short: "otc", reads: dry })]),
      ),
    },
  });

const apt = system(
  "list show search policy depends rdepends showsrc madison pkgnames stats help changelog",
  "install remove purge autoremove update upgrade full-upgrade dist-upgrade clean autoclean download source build-dep edit-sources reinstall satisfy",
  ["-s", "--simulate", "--dry-run", "--just-print"],
);
const dnf = system(
  "list info search repolist provides repoquery history check-update deplist",
  "install remove erase update upgrade downgrade reinstall autoremove clean makecache groupinstall",
);

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
      ...listed("reads", "show which help check doc"),
      run: always("unknown"),
      toolchain: bySubcommand({ bare: "reads", otherwise: "writes", subcommands: listed("reads", "list") }),
    },
  }),
  go,
  gem: system(
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
  composer: system(
    "show info outdated validate licenses search depends why prohibits why-not status about audit check-platform-reqs diagnose suggests",
    "install update require remove init create-project dump-autoload dumpautoload self-update clear-cache config bump reinstall",
    ["--dry-run"],
  ),
  apt,
  "apt-get": apt,
  "apt-cache": apt,
  aptitude: apt,
  dnf,
  yum: dnf,
  apk: system("info list search version policy stats dot", "add del update upgrade fix fetch cache"),
  brew: system(
    "list ls info search outdated deps uses leaves config doctor cat desc home --prefix --version tap-info log commands help",
    "install uninstall remove rm update upgrade cleanup link unlink tap untap pin unpin reinstall autoremove edit create bundle services",
    ["--dry-run"],
  ),
  pacman: byOptions({
    otherwise: "writes",
    short: "br",
    long: [
      "--config",
      "--dbpath",
      "--root",
      "--cachedir",
      "--logfile",
      "--gpgdir",
      "--hookdir",
      "--sysroot",
      "--arch",
    ],
    writes: ["-S", "-R", "-U", "-D", "--sync", "--remove", "--upgrade", "--database", "--logfile"],
    reads: ["-Q", "--query", "-F", "--files", "-T"],
  }),
  dpkg: byOptions({
    otherwise: "writes",
    long: ["--root", "--admindir", "--instdir", "--log", "--status-fd", "--path-exclude", "--path-include"],
    writes: ["-i", "--install", "-r", "--remove", "-P", "--purge", "--unpack", "--configure", "--log"],
    reads: [
      "-l",
      "--list",
      "-L",
      "--listfiles",
      "-s",
      "--status",
      "-S",
      "--search",
      "-p",
      "--print-avail",
      "-I",
      "--info",
      "-c",
      "--contents",
      "--get-selections",
      "--print-architecture",
    ],
  }),
  "dpkg-query": always("reads"),
  rpm: byOptions({
    otherwise: "writes",
    short: "rDE",
    long: [
      "--root",
      "--dbpath",
      "--qf",
      "--queryformat",
      "--define",
      "--eval",
      "--rcfile",
      "--macros",
      "--pipe",
    ],
    writes: [
      "-e",
      "--erase",
      "-U",
      "--upgrade",
      "-F",
      "--import",
      "--install",
      "--rebuilddb",
      "--setperms",
      "--restore",
    ],
    reads: ["-q", "--query", "-V", "--verify"],
    runs: ["--pipe", "-E", "--eval", "-D", "--define"],
  }),
  // Given the folder of a build it makes one; it also builds, and runs scripts.
  cmake: byOptions({ otherwise: "unknown", attached: "BSDPG", writes: ["-B", "-S"] }),
  virtualenv: always("writes"),
  svn: system(
    "status st stat info log diff blame annotate cat list ls proplist propget",
    "update up checkout co commit ci add delete rm revert merge switch copy move import export resolve cleanup",
  ),
  hg: system(
    "status st log diff cat annotate blame heads identify id tip branches files manifest summary paths root",
    "commit ci add remove rm update up pull push clone merge revert rebase init import strip graft rename copy",
  ),
  snap: system("list info find changes version services", "install remove refresh revert enable disable set"),
  flatpak: system("list info search remotes history", "install uninstall update"),
  ...listed(
    "unknown",
    "mvn mvnw gradle gradlew sbt ant bazel ninja ctest just task rake dotnet swift mix rebar3 stack cabal zig meson tox nox",
  ),
};
