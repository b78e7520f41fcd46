import { isDevice, mayBeOption } from "../argument.ts";
import { writes } from "../classification.ts";
import { findOption, looks, parseOptions } from "../options.ts";
import { type Programs, plainly, type Rule } from "../program.ts";

/** It sets the clock unless its operands only say how to print it. */
const date: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, { values: "-drfsv --date --file --reference --set", attached: "I" });
  const isSet = findOption({ ...parsed, options: [...parsed.options, ...parsed.doubtful] }, "-s --set");
  // With `-j` it converts, and the second word is the input.
  const tells = parsed.operands.every(({ text }) => text.startsWith("+")) || looks(parsed, "-j");
  return plainly(isSet === undefined && tells && !parsed.isLoose ? "reads" : "unknown", name);
};

/** A shorter verb may be another one: `ip link s` sets. */
const ip: Rule = ({ name, args }) => {
  const values = "-f -family -l -loops -n -netns -rc -rcvbuf";
  const parsed = parseOptions(args, { hasOneDash: true, values });
  const [, verb] = parsed.operands;
  const shows = verb === undefined || /^(?:sh|show|ls|lst|list|get|help)$/.test(verb.text);
  const isBatch = parsed.options.some((option) => /^--?b(?!r)/.test(option.name));
  return plainly(shows && !isBatch && !parsed.isLoose ? "reads" : "unknown", name);
};

const mount: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, { values: "-t --types" });
  const lists = parsed.options.every((option) => /^(?:-[lvthV]|--types|--version)$/.test(option.name));
  return plainly(lists && parsed.operands.length === 0 ? "reads" : "unknown", name);
};

const dd: Rule = ({ name, args }) => {
  const targets = args.filter(({ text }) => text.startsWith("of="));
  if (targets.some((target) => !isDevice({ ...target, text: target.text.slice(3) })))
    return writes("`dd of=` writes a file.");
  return plainly(args.some(mayBeOption) ? "unknown" : "reads", name);
};

/** Programs that tell about the machine, or act on processes: no file changes. */
export const systemRules: Programs = {
  [`ls dir vdir stat du df pwd basename dirname realpath readlink namei echo printf true false sleep cal uptime who w id
    groups whoami users last hostid uname arch nproc free vmstat iostat mpstat ps pgrep pidof pstree pmap
    fuser netstat ping ping6 dig nslookup host getent traceroute tracepath mtr whois printenv locale getconf
    tty stty tput clear which whereis apropos whatis kill pkill killall xkill lscpu lsblk lsusb lspci lsmod lsns
    findmnt logname dircolors usleep sync pathchk figlet lolcat sw_vers
    system_profiler vm_stat mdfind mdls pbcopy pbpaste xclip xsel wl-copy`]: "reads",
  // It may keep a cache of devices.
  lsof: { does: "reads", attached: "D", runs: "-D" },
  lastlog: { does: "reads", values: "-btu", runs: "-C --clear -S --set" },
  // The figures that it draws are programs.
  cowsay: { does: "reads", values: "-efTW", runs: "-f" },
  "wl-paste": { does: "reads", values: "-ts", runs: "-w --watch" },
  neofetch: { does: "unknown", bare: "reads", runs: "--config" },
  fastfetch: { does: "unknown", bare: "reads", runs: "-c --config --gen-config" },
  date,
  ip,
  mount,
  dd,
  hostname: { does: "reads", values: "-F", writesFrom: 0, writes: "-F --file -b" },
  dmesg: {
    does: "reads",
    values: "-lfnFs",
    writes: "-C -c --clear --read-clear -n --console-level -D -E --console-off --console-on",
  },
  ss: { does: "reads", values: "-fADFN", writes: "-D --diag", runs: "-K --kill" },
  journalctl: {
    does: "reads",
    values: "-unopSUbtg",
    writes: `--vacuum-size --vacuum-time --vacuum-files --rotate --flush --sync --setup-keys --update-catalog
      --cursor-file --relinquish-var --smart-relinquish-var`,
  },
  ifconfig: { does: "unknown", bare: "reads", reads: "-a" },
  // Writing needs no option.
  sysctl: { does: "reads", writes: "-w --write -p --load --system", words: [[/^[^-].*=/, "writes"]] },
  systemctl: {
    does: "unknown",
    values: "-tpHMn",
    subcommands: {
      "enable disable mask unmask edit link preset set-property set-default": "writes",
      [`status show cat is-active is-enabled is-failed list-units list-unit-files list-timers list-sockets
        list-dependencies`]: "reads",
    },
  },
  timedatectl: {
    does: "writes",
    subcommands: { "status show list-timezones timesync-status show-timesync": "reads" },
  },
  hostnamectl: { does: "writes", subcommands: { "status show": "reads" } },
  launchctl: { does: "unknown", subcommands: { "list print blame": "reads" } },
  crontab: { does: "writes", values: "-u", reads: "-l", writes: "-r -e", writesFrom: 0 },
  mktemp: { does: "writes", values: "-p --suffix --tmpdir", reads: "-u --dry-run" },
};
