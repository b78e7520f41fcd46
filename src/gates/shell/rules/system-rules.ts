import { equals, isDevice, isOutput, mayBeOption } from "../argument.ts";
import { writes } from "../classification.ts";
import { findOption, looks, parseOptions } from "../options.ts";
import { type Entry, judgeCall, type Program, type Programs, plainly, type Rule } from "../program.ts";

const inPlace: Entry = "reads -i! --in-place!";
const plugin: Entry = "reads --plugin=?";
const less: Program = {
  does: "reads",
  options: `-oO=! -bpPtTxyz= -k=? --log-file! --LOG-FILE! --cmd? --lesskey-file? --lesskey-content?
      --lesskey-src?`,
  // A word that begins with a plus is a command, and such a command may start a program.
  words: [[/^\+.*[!|#sv]/s, "unknown"]],
};

/** `bat cache` keeps its syntaxes. */
const bat: Rule = (call) =>
  judgeCall(
    equals(call.args[0], "cache")
      ? "unknown"
      : "reads --pager=? --config-file=? --generate-config-file! --lessopen?",
    call,
  );

/** Programs that read text and print what they make of it. */
export const textRules: Programs = {
  [`cat head tail wc grep egrep fgrep zgrep zegrep zfgrep cut tr paste join comm diff cmp nl tac rev fold fmt pr
    expand unexpand column od hexdump hd strings look tsort cksum sum md5sum sha1sum sha224sum sha256sum
    sha384sum sha512sum b2sum md5 shasum base32 basenc bc expr factor numfmt seq yes gron zcat bzcat xzcat zstdcat
    gzcat lzcat lz4cat zdiff zcmp tokei readelf size addr2line c++filt envsubst
    difft colordiff icdiff hexyl mdcat lsd exa eza more most`]: "reads",
  "csplit split": "writes",
  "sponge tee": { does: "reads", writesFrom: 0 },
  sort: `reads -kStT= -o=! --key= --field-separator= --buffer-size= --temporary-directory= --output=!
    --parallel= --sort= --compress-program?`,
  uniq: {
    does: "reads",
    options: "-fsw= --skip-fields= --skip-chars= --check-chars=",
    writesFrom: 1,
    printsToDash: true,
  },
  shuf: "reads -ni= -o=! --head-count= --output=!",
  iconv: { does: "reads", options: "-ft= -o=! --output=!", printsToDash: true },
  sdiff: "reads -Iw= -o=! --output=! --diff-program=?",
  diff3: "reads --diff-program=?",
  delta: "reads --pager? --config?",
  tree: "reads -LPI= -o=! -R?",
  xxd: { does: "reads", options: "-cglosnR=", writesFrom: 1, printsToDash: true },
  "nm objdump": plugin,
  xmllint: "reads -o=! --output=! --shell?",
  yq: "reads -Iopw= -s=! -i! --inplace! --in-place! --split-exp! --security-enable-system-operator?",
  // The original has no option to edit files; those that follow it have.
  jq: "reads -i! --in-place! -L=",
  tomlq: inPlace,
  ag: "reads --pager?",
  ack: "reads --pager? --ackrc?",
  rg: "reads -efgtTmjABCMEdr= --pre=? --regexp= --glob= --type= --hostname-bin=?",
  "less zless zmore": less,
  file: "reads -mfFPe= -C! --compile!",
  base64: "reads -o=! -wbi= --output!",
  cloc: `reads --out! --report-file! --sql! --write-lang-def! --counted! --found! --ignored! --categorized!
    --diff-alignment! --extract-with? --vcs? --config?`,
  scc: "reads -o=! -fies= --output!",
  xmlstarlet: "reads -L! --inplace!",
  pdftotext: ({ name, args }) => plainly(isOutput(args.at(-1)) ? "reads" : "writes", name),
  pandoc: {
    does: "reads",
    printsToDash: true,
    options: `-o=! -ftrwAHBcTVM= -FL=? -d? --output=! --from= --to= --filter=? --lua-filter=? --metadata=
      --template= --extract-media! --log! --defaults? --pdf-engine? --data-dir?`,
    // A reader or writer in Lua is a program.
    words: [[/\.lua(?:[-+]|$)/i, "unknown"]],
  },
  "bat batcat": bat,
  man: "reads -PCH=? -TMS= -Xu? --pager? --html? --config-file? --gxditview? --update?",
  info: "reads -o=! --output=! --dribble=!",
  fzf: "reads --history! --preview? --bind? --listen? --become? --with-shell?",
};

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
  lsof: { does: "reads", attached: "D", options: "-D?" },
  lastlog: "reads -btu= -CS? --clear? --set?",
  // The figures that it draws are programs.
  cowsay: "reads -eTW= -f=?",
  "wl-paste": "reads -ts= -w? --watch?",
  neofetch: { does: "unknown", bare: "reads", options: "--config?" },
  fastfetch: { does: "unknown", bare: "reads", options: "-c? --config? --gen-config?" },
  date,
  ip,
  mount,
  dd,
  hostname: { does: "reads", options: "-F=! -b! --file!", writesFrom: 0 },
  dmesg: "reads -lfFs= -n=! -CcDE! --clear! --read-clear! --console-level! --console-off! --console-on!",
  ss: "reads -fAFN= -D=! -K? --diag! --kill?",
  journalctl: `reads -unopSUbtg= --vacuum-size! --vacuum-time! --vacuum-files! --rotate! --flush! --sync!
    --setup-keys! --update-catalog! --cursor-file! --relinquish-var! --smart-relinquish-var!`,
  ifconfig: { does: "unknown", bare: "reads", options: "-a." },
  // Writing needs no option.
  sysctl: { does: "reads", options: "-wp! --write! --load! --system!", words: [[/^[^-].*=/, "writes"]] },
  systemctl: {
    does: "unknown",
    options: "-tpHMn=",
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
  crontab: { does: "writes", options: "-u= -re! -l.", writesFrom: 0 },
  mktemp: "writes -p= -u. --suffix= --tmpdir= --dry-run.",
};
