import { byOptions, type OptionSpec } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { always, listed, type Rule, type Rules } from "../rule.ts";

/** Returns the rule of a manager by its subcommands, and by the options with which it only says what it would do. */
export const managing = (
  readers: string,
  writers: string,
  more: Pick<OptionSpec, "reads" | "runs"> = {},
): Rule =>
  bySubcommand({
    takesOptionsAnywhere: true,
    runs: more.runs ?? [],
    bare: "reads",
    otherwise: "unknown",
    short: "otc",
    subcommands: {
      ...listed("reads", readers),
      ...Object.fromEntries(
        writers
          .split(" ")
          .map((name) => [name, byOptions({ otherwise: "writes", short: "otc", reads: more.reads ?? [] })]),
      ),
    },
  });

const apt = managing(
  "list show search policy depends rdepends showsrc madison pkgnames stats help changelog",
  "install remove purge autoremove update upgrade full-upgrade dist-upgrade clean autoclean download source build-dep edit-sources reinstall satisfy",
  {
    reads: ["-s", "--simulate", "--dry-run", "--just-print"],
    runs: ["-o", "--option", "-c", "--config-file"],
  },
);
const dnf = managing(
  "list info search repolist provides repoquery history check-update deplist",
  "install remove erase update upgrade downgrade reinstall autoremove clean makecache groupinstall",
);

/** Package managers of operating systems. */
export const systemPackageRules: Rules = {
  apt,
  "apt-get": apt,
  "apt-cache": apt,
  aptitude: apt,
  dnf,
  yum: dnf,
  apk: managing("info list search version policy stats dot", "add del update upgrade fix fetch cache"),
  brew: managing(
    "list ls info search outdated deps uses leaves config doctor cat desc home --prefix --version tap-info log commands help",
    "install uninstall remove rm update upgrade cleanup link unlink tap untap pin unpin reinstall autoremove edit create bundle services",
    { reads: ["--dry-run"] },
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
  snap: managing(
    "list info find changes version services",
    "install remove refresh revert enable disable set",
  ),
  flatpak: managing("list info search remotes history", "install uninstall update"),
};
