import { isDevice, mayBeOption } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { writes } from "../classification.ts";
import { looks } from "../looking.ts";
import { findOption, parseOptions } from "../options.ts";
import { always, listed, plainly, type Rule, type Rules } from "../rule.ts";

/** It sets the clock where it is told one, and not how to print it. */
const date: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, {
    short: "drfsv",
    attached: "I",
    long: ["--date", "--file", "--reference", "--set"],
  });
  const isSet = findOption({ ...parsed, options: [...parsed.options, ...parsed.doubtful] }, ["-s", "--set"]);
  // Where it converts, as `-j` says, the second word is what is read.
  const isConverting = looks(parsed, ["-j"]);
  const tells = parsed.operands.every(({ text }) => text.startsWith("+")) || isConverting;
  return plainly(isSet === undefined && tells && !parsed.isLoose ? "reads" : "unknown", name);
};

/** A shorter verb may be another one: `ip link s` sets. */
const ip: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, {
    hasOneDash: true,
    long: ["-f", "-family", "-l", "-loops", "-n", "-netns", "-rc", "-rcvbuf"],
  });
  const [, verb] = parsed.operands;
  const shows = verb === undefined || /^(?:sh|show|ls|lst|list|get|help)$/.test(verb.text);
  const isBatch = parsed.options.some((option) => /^--?b(?!r)/.test(option.name));
  return plainly(shows && !isBatch && !parsed.isLoose ? "reads" : "unknown", name);
};

const askingKernel = byOptions({
  otherwise: "reads",
  writes: ["-w", "--write", "-p", "--load", "--system"],
});

/** Programs that tell about the machine, or act on processes: no file changes. */
export const systemRules: Rules = {
  ...listed(
    "reads",
    `ls dir vdir stat du df pwd basename dirname realpath readlink namei echo printf true false sleep cal uptime who w id
     groups whoami users last hostid uname arch nproc free vmstat iostat mpstat ps pgrep pidof pstree pmap
     fuser netstat ping ping6 dig nslookup host getent traceroute tracepath mtr whois printenv locale getconf
     tty stty tput clear which whereis apropos whatis kill pkill killall xkill lscpu lsblk lsusb lspci lsmod lsns
     findmnt logname dircolors usleep sync pathchk figlet lolcat sw_vers
     system_profiler vm_stat mdfind mdls pbcopy pbpaste xclip xsel wl-copy`,
  ),
  // It may keep what it knows of devices.
  lsof: byOptions({ otherwise: "reads", attached: "D", runs: ["-D"] }),
  lastlog: byOptions({ otherwise: "reads", short: "btu", runs: ["-C", "--clear", "-S", "--set"] }),
  // What it draws is a program.
  cowsay: byOptions({ otherwise: "reads", short: "efTW", runs: ["-f"] }),
  "wl-paste": byOptions({ otherwise: "reads", short: "ts", runs: ["-w", "--watch"] }),
  neofetch: byOptions({ otherwise: "unknown", bare: "reads", runs: ["--config"] }),
  fastfetch: byOptions({ otherwise: "unknown", bare: "reads", runs: ["-c", "--config", "--gen-config"] }),
  date,
  hostname: byOptions({ otherwise: "reads", short: "F", writesFrom: 0, writes: ["-F", "--file", "-b"] }),
  dmesg: byOptions({
    otherwise: "reads",
    short: "lfnFs",
    writes: [
      "-C",
      "-c",
      "--clear",
      "--read-clear",
      "-n",
      "--console-level",
      "-D",
      "-E",
      "--console-off",
      "--console-on",
    ],
  }),
  ss: byOptions({ otherwise: "reads", short: "fADFN", writes: ["-D", "--diag"], runs: ["-K", "--kill"] }),
  journalctl: byOptions({
    otherwise: "reads",
    short: "unopSUbtg",
    writes: [
      "--vacuum-size",
      "--vacuum-time",
      "--vacuum-files",
      "--rotate",
      "--flush",
      "--sync",
      "--setup-keys",
      "--update-catalog",
      "--cursor-file",
      "--relinquish-var",
      "--smart-relinquish-var",
    ],
  }),
  // These keep settings of their own.
  ...listed("unknown", "top htop btop"),
  // It may start the program that it looks at.
  ldd: always("unknown"),
  mount: ({ name, args }) => {
    const parsed = parseOptions(args, { short: "t", long: ["--types"] });
    const lists = parsed.options.every((option) => /^(?:-[lvthV]|--types|--version)$/.test(option.name));
    return plainly(lists && parsed.operands.length === 0 ? "reads" : "unknown", name);
  },
  ip,
  ifconfig: byOptions({ otherwise: "unknown", bare: "reads", reads: ["-a"] }),
  sysctl: (call) => {
    // Writing needs no option.
    const sets = call.args.some(({ text }) => /^[^-].*=/.test(text));
    return sets ? plainly("writes", call.name) : askingKernel(call);
  },
  systemctl: bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    short: "tpHMn",
    subcommands: {
      ...listed("writes", "enable disable mask unmask edit link preset set-property set-default"),
      ...listed(
        "reads",
        "status show cat is-active is-enabled is-failed list-units list-unit-files list-timers list-sockets list-dependencies",
      ),
    },
  }),
  timedatectl: bySubcommand({
    bare: "reads",
    otherwise: "writes",
    subcommands: listed("reads", "status show list-timezones timesync-status show-timesync"),
  }),
  hostnamectl: bySubcommand({
    bare: "reads",
    otherwise: "writes",
    subcommands: listed("reads", "status show"),
  }),
  launchctl: bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    subcommands: listed("reads", "list print blame"),
  }),
  crontab: byOptions({ otherwise: "writes", short: "u", reads: ["-l"], writes: ["-r", "-e"], writesFrom: 0 }),
  mktemp: byOptions({
    otherwise: "writes",
    short: "p",
    long: ["--suffix", "--tmpdir"],
    reads: ["-u", "--dry-run"],
  }),
  dd: ({ name, args }) => {
    const targets = args.filter(({ text }) => text.startsWith("of="));
    if (targets.some((target) => !isDevice({ ...target, text: target.text.slice(3) })))
      return writes("`dd of=` writes a file.");
    return plainly(args.some(mayBeOption) ? "unknown" : "reads", name);
  },
};
