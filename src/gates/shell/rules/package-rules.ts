import { type Argument, equals } from "../argument.ts";
import { unknown, worst } from "../classification.ts";
import { isFlag, parseOptions } from "../options.ts";
import { type Entry, type Program, type Programs, plainly, type Rule } from "../program.ts";

const pip: Program = {
  does: "unknown",
  options: "-V. --python=? --proxy= --log=! --keyring-provider=? --cache-dir=",
  takesOptionsAnywhere: true,
  subcommands: {
    "list show freeze check search index help debug inspect hash": "reads",
    "install uninstall download wheel lock": "writes",
    config: { does: "writes", subcommands: { "list get debug": "reads" } },
    cache: { does: "writes", subcommands: { "dir info list": "reads" } },
  },
};

/** `uv run X`, `poetry run X`, `bundle exec X`: the tool of the project runs, whatever it is by that name. */
const runsTool =
  (values = ""): Rule =>
  (call) => {
    const { operands } = parseOptions(call.args, { values, endsAtOperand: true });
    return worst(call.runs(operands), unknown(`What \`${call.name}\` runs comes with the project.`));
  };

/** Without one of these options it may bring a lock file up to date. */
const locked: Entry = "unknown --locked. --frozen.";

const python = (writers: string, more: Programs): Program => ({
  does: "unknown",
  options: "-CP= -V. --directory= --project=",
  subcommands: {
    "show help search check about": "reads",
    version: { does: "reads", options: "--bump=!", writesFrom: 0 },
    [writers]: "writes",
    ...more,
  },
});

/** Also behind the dashes, for the formatter itself. */
const cargoFmt: Rule = ({ name, args }) => {
  const isCheck = (word: Argument, before = ""): boolean =>
    equals(word, "--check") && (before === "--" || !/^--[^=]+$/.test(before) || isFlag(before));
  return plainly(args.some((word, at) => isCheck(word, args[at - 1]?.text)) ? "reads" : "writes", name);
};

const cargo: Program = {
  does: "unknown",
  options: "-CZ= -V. --config=? --color= --list.",
  takesOptionsAnywhere: true,
  subcommands: {
    "search version locate-project read-manifest verify-project info help": "reads",
    [`add rm remove install uninstall update fetch init new clean vendor generate-lockfile fix login logout package
      yank`]: "writes",
    owner: "reads -ar? --add? --remove?",
    clippy: "unknown --fix!",
    "metadata tree pkgid": locked,
    fmt: cargoFmt,
  },
};

const go: Program = {
  does: "unknown",
  options: "-C=",
  subcommands: {
    "version help": "reads",
    "get install clean fix work": "writes",
    doc: { does: "reads", hasOneDash: true, options: "-http?" },
    list: {
      does: "reads",
      hasOneDash: true,
      options: "-f= -C= -tags= -export? -compiled? -toolexec? -exec? -overlay? -mod? -modfile?",
    },
    fmt: { does: "writes", hasOneDash: true, options: "-n." },
    env: { does: "reads", hasOneDash: true, options: "-w! -u!" },
    mod: { does: "writes", subcommands: { "graph why verify": "reads" } },
    build: { does: "unknown", hasOneDash: true, options: "-o=!" },
  },
};

/** A manager by its subcommands; the options count for it and for those that write. */
const managing = (readers: string, writers: string, options = ""): Program => ({
  does: "unknown",
  takesOptionsAnywhere: true,
  options: `-otc= ${options}`,
  subcommands: { [readers]: "reads", [writers]: `writes -otc= ${options}` },
});

/** Package managers: installing writes, asking reads, and what a package does when it is built is not known. */
export const packageRules: Programs = {
  "pip pip3": pip,
  uv: python("add remove sync lock venv init build publish cache self python", {
    pip,
    tree: locked,
    run: runsTool("-p --with --python --extra --group"),
  }),
  uvx: runsTool(),
  pipx: python("install uninstall upgrade upgrade-all reinstall inject ensurepath", {
    list: "reads",
    run: runsTool(),
  }),
  poetry: python("add remove install update lock init new build publish sync", {
    run: runsTool(),
    env: { does: "writes", subcommands: { "list info": "reads" } },
  }),
  pipenv: python("install uninstall update lock sync clean", { run: runsTool() }),
  conda: python("install remove update create clean upgrade uninstall", {
    "list info": "reads",
    env: { does: "writes", subcommands: { list: "reads" } },
  }),
  cargo,
  rustup: {
    does: "writes",
    options: "-V.",
    subcommands: {
      "show which help check": "reads",
      "run doc": "unknown",
      toolchain: { does: "writes", subcommands: { list: "reads" } },
    },
  },
  go,
  gem: managing(
    "list search info query specification contents dependency environment outdated which help",
    "install uninstall update cleanup pristine build push fetch unpack",
  ),
  bundle: {
    does: "unknown",
    bare: "writes",
    subcommands: {
      "list show info outdated platform help version licenses": "reads",
      "install update add remove lock init clean package cache pristine binstubs config": "writes",
      exec: runsTool(),
    },
  },
  composer: managing(
    `show info outdated validate licenses search depends why prohibits why-not status about audit check-platform-reqs
     diagnose suggests`,
    `install update require remove init create-project dump-autoload dumpautoload self-update clear-cache config bump
     reinstall`,
    "--dry-run.",
  ),
  // Given the folder of a build it makes one; it also builds, and runs scripts.
  cmake: { does: "unknown", attached: "BSDPG", options: "-BS!" },
  virtualenv: "writes",
  svn: managing(
    "status st stat info log diff blame annotate cat list ls proplist propget",
    "update up checkout co commit ci add delete rm revert merge switch copy move import export resolve cleanup",
    "--diff-cmd? --diff3-cmd? --editor-cmd? --config-option? --config-dir?",
  ),
  hg: managing(
    "status st log diff cat annotate blame heads identify id tip branches files manifest summary paths root",
    "commit ci add remove rm update up pull push clone merge revert rebase init import strip graft rename copy",
    "--config? --debugger? --profile? -o? --output?",
  ),
  "apt apt-get apt-cache aptitude": managing(
    "list show search policy depends rdepends showsrc madison pkgnames stats help changelog",
    `install remove purge autoremove update upgrade full-upgrade dist-upgrade clean autoclean download source build-dep
     edit-sources reinstall satisfy`,
    "-s. --simulate. --dry-run. --just-print. -o? --option? -c? --config-file?",
  ),
  "dnf yum": managing(
    "list info search repolist provides repoquery history check-update deplist",
    "install remove erase update upgrade downgrade reinstall autoremove clean makecache groupinstall",
  ),
  apk: managing("info list search version policy stats dot", "add del update upgrade fix fetch cache"),
  brew: managing(
    `list ls info search outdated deps uses leaves config doctor cat desc home --prefix --version tap-info log commands
     help`,
    `install uninstall remove rm update upgrade cleanup link unlink tap untap pin unpin reinstall autoremove edit create
     bundle services`,
    "--dry-run.",
  ),
  snap: managing(
    "list info find changes version services",
    "install remove refresh revert enable disable set",
  ),
  flatpak: managing("list info search remotes history", "install uninstall update"),
  pacman: `writes -br= -SRUD! -QFT. --config= --dbpath= --root= --cachedir= --logfile=! --gpgdir= --hookdir=
    --sysroot= --arch= --sync! --remove! --upgrade! --database! --query. --files.`,
  dpkg: `writes -irP! -lLsSpIc. --root= --admindir= --instdir= --log=! --status-fd= --path-exclude=
    --path-include= --install! --remove! --purge! --unpack! --configure! --list. --listfiles. --status.
    --search. --print-avail. --info. --contents. --get-selections. --print-architecture.`,
  "dpkg-query": "reads",
  rpm: `writes -r= -DE=? -eUF! -qV. --root= --dbpath= --qf= --queryformat= --define=? --eval=? --rcfile=
    --macros= --pipe=? --erase! --upgrade! --import! --install! --rebuilddb! --setperms! --restore!
    --query. --verify.`,
};
