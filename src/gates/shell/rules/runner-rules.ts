import { type Argument, equals, exactly, isDevice, isExact, join, joinWords } from "../argument.ts";
import { type Classification, nothing, quote, reads, unknown, worst, writes } from "../classification.ts";
import {
  findOption,
  findOptions,
  looks,
  type OptionShape,
  type ParsedOptions,
  parseOptions,
} from "../options.ts";
import { type Call, type Programs, plainly, type Rule } from "../program.ts";
import { judgeExported, judgeIdentity } from "../shell.ts";

interface Runner extends OptionShape {
  /** How many operands of its own stand before the program. */
  readonly takes?: number;
  /** Options with which it runs nothing, whatever words follow. */
  readonly reads?: string;
  /** Whether it starts a shell where no program is named. */
  readonly opensShell?: boolean;
  /** Whether variables may stand before the program. */
  readonly sets?: boolean;
  /** Judges the options of its own. */
  readonly own?: (parsed: ParsedOptions, call: Call) => Classification;
}

/** Returns the rule of a program that runs the words behind its own. */
function running(runner: Runner): Rule {
  return (call) => {
    const parsed = parseOptions(call.args, { ...runner, endsAtOperand: true });
    const taken = parsed.operands.slice(0, runner.takes ?? 0);
    if (parsed.isLoose || taken.some(({ rest }) => rest === "wild")) return plainly("unknown", call.name);
    if (looks(parsed, runner.reads ?? "")) return plainly("reads", call.name);
    return worst(
      runner.own?.(parsed, call) ?? nothing,
      runRest(call, parsed.operands.slice(taken.length), runner),
    );
  };
}

function runRest(call: Call, rest: readonly Argument[], { sets, opensShell }: Runner): Classification {
  const { variables, words } = sets === true ? splitVariables(rest) : { variables: [], words: rest };
  const alone = opensShell === true ? call.runs([exactly("sh")]) : reads(`${quote(call.name)} runs nothing.`);
  const inner = words.length === 0 ? alone : call.runs(words);
  return worst(...variables.map((word) => judgeSetting(word, call)), inner);
}

function splitVariables(words: readonly Argument[]) {
  const found = words.findIndex(({ text }) => !/^[^=]+=/.test(text));
  const at = found < 0 ? words.length : found;
  return { variables: words.slice(0, at), words: words.slice(at) };
}

function judgeSetting(word: Argument, call: Call): Classification {
  const at = word.text.indexOf("=");
  return judgeExported(word.text.slice(0, at), { ...word, text: word.text.slice(at + 1) }, call.script);
}

const writesWith =
  (names: string) =>
  (parsed: ParsedOptions, { name }: Call): Classification => {
    const option = findOptions(parsed, names).find(({ value }) => !isDevice(value));
    return option === undefined ? nothing : writes(`${quote(`${name} ${option.name}`)} writes a file.`);
  };

const startsShell = (parsed: ParsedOptions, { name, runs }: Call): Classification => {
  if (findOption(parsed, "-e --edit") !== undefined) return writes(`${quote(`${name} -e`)} edits files.`);
  const opens = findOption(parsed, "-s -i --shell --login") !== undefined && parsed.operands.length === 0;
  return opens ? runs([exactly("sh")]) : nothing;
};

/** `env -S` splits one word into many. */
const splitsWord = (parsed: ParsedOptions, { script }: Call): Classification => {
  const option = findOption(parsed, "-S --split-string");
  if (option?.value === undefined) return nothing;
  return script(join(join(option.value, exactly(" ")), joinWords(parsed.operands)));
};

/** `env -i` and `env -u NAME` take variables away, by which Carryon knows who runs it. */
const judgeEnv = (parsed: ParsedOptions, call: Call): Classification => {
  const taken = findOptions(parsed, "-u --unset").map(({ value }) => judgeIdentity(value?.text ?? ""));
  const isBare =
    equals(parsed.operands[0], "-") || findOption(parsed, "-i --ignore-environment") !== undefined;
  const runsCarryon = parsed.operands.some(({ text }) => /(?:^|[/\s])carryon(?:\s|$)/.test(text));
  return worst(
    splitsWord(parsed, call),
    ...taken,
    isBare && runsCarryon ? writes("`env -i` hides who runs `carryon`.") : nothing,
  );
};

const flock: Rule = (call) => {
  const parsed = parseOptions(call.args, { values: "-wEc --timeout --wait --command", endsAtOperand: true });
  const [target, ...words] = parsed.operands;
  if (target === undefined || parsed.isLoose) return plainly("unknown", call.name);
  if (isExact(target) && /^\d+$/.test(target.text) && words.length === 0) return plainly("reads", call.name);
  const line = equals(words[0], "-c") ? words[1] : undefined;
  const inner = line === undefined ? call.runs(words) : call.script(line);
  return worst(inner, unknown("`flock` makes its lock file where there is none."));
};

/** `script -c COMMAND FILE`: what it records goes to a file of its own. */
const script: Rule = (call) => {
  const parsed = parseOptions(call.args, {
    attached: "t",
    values: "-cIOBTEmo --command --log-out --log-io --log-in --log-timing --timing",
  });
  const logs = "-O --log-out -B --log-io -I --log-in -T --log-timing -t --timing";
  const told = findOptions(parsed, logs).map(({ value }) => value);
  if (!(told.length > 0 ? told : [parsed.operands[0]]).every(isDevice))
    return writes("`script` writes what it records to a file.");
  return runLine(call, findOption(parsed, "-c --command")?.value);
};

const watch: Rule = (call) => {
  const parsed = parseOptions(call.args, {
    attached: "d",
    values: "-nqs --interval --equexit",
    endsAtOperand: true,
  });
  if (parsed.isLoose || findOption(parsed, "-s --shotsdir") !== undefined)
    return plainly("unknown", call.name);
  if (findOption(parsed, "-x --exec") !== undefined) return call.runs(parsed.operands);
  return call.script(joinWords(parsed.operands));
};

/** Runs a line of a shell, where one is given. */
const runLine = (call: Call, line: Argument | undefined): Classification =>
  line === undefined ? plainly("unknown", call.name) : call.script(line);

const su: Rule = (call) => {
  const parsed = parseOptions(call.args, { values: "-cCgGsw --command --shell" });
  return runLine(call, findOption(parsed, "-c --command")?.value);
};

/** In another root or another process, or with its output in a file, a program is not what it is here. */
const elsewhere = (_parsed: ParsedOptions, { name }: Call): Classification => plainly("unknown", name);

/** `sg GROUP -c COMMAND` and `sg GROUP COMMAND` are the same. */
const sg: Rule = (call) => {
  const [, ...words] = call.args.filter((word) => !equals(word, "-"));
  return runLine(call, equals(words[0], "-c") ? words[1] : words[0]);
};

/** Runs its words again and again, or with `-s` one word as a line of a shell. */
const entr: Rule = (call) => {
  const parsed = parseOptions(call.args, { endsAtOperand: true });
  const [line] = parsed.operands;
  if (line === undefined || parsed.isLoose) return plainly("unknown", call.name);
  return findOption(parsed, "-s") === undefined ? call.runs(parsed.operands) : call.script(line);
};

/** What it parts from the rest is kept in a file where it is given one. */
const unshare: Rule = running({
  values: "-RwSGl --root --wd --setuid --setgid --propagation --setgroups --load-interp",
  opensShell: true,
  own: (parsed, { name }) => {
    const isOther = findOption(parsed, "-R --root -l --load-interp") !== undefined;
    const isKept = parsed.options.some(
      (option) =>
        /^--(?:mount|uts|ipc|net|pid|user|cgroup|time)$/.test(option.name) && option.value !== undefined,
    );
    return isOther || isKept ? plainly("unknown", name) : nothing;
  },
});

/** Programs and builtins that run the words which stand behind their own. */
export const runnerRules: Programs = {
  env: running({ values: "-uCS --unset --chdir --split-string", sets: true, own: judgeEnv }),
  sudo: running({
    values: "-ughpCTrtDRUa --user --group --host --prompt --chdir",
    sets: true,
    own: startsShell,
    reads: "-l --list",
  }),
  doas: running({ values: "-uC", own: startsShell }),
  su,
  runuser: running({ values: "-ugG", opensShell: true }),
  "nohup unbuffer setsid chronic builtin busybox toybox": running({}),
  time: running({ values: "-of --output --format", own: writesWith("-o --output") }),
  "timeout gtimeout": running({ values: "-sk --signal --kill-after", takes: 1 }),
  nice: running({ values: "-n --adjustment" }),
  ionice: running({ values: "-cnpPu --class --classdata" }),
  chrt: running({ values: "-TPD", takes: 1 }),
  "taskset faketime": running({ takes: 1 }),
  stdbuf: running({ values: "-ioe --input --output --error" }),
  setarch: running({ takes: 1, opensShell: true }),
  caffeinate: running({ values: "-tw" }),
  command: running({ reads: "-v -V" }),
  exec: running({ values: "-a" }),
  chroot: running({ takes: 1, own: elsewhere }),
  fakeroot: running({ values: "-lsib --lib --faked", own: elsewhere }),
  proot: running({ values: "-rbqwkviRS", own: elsewhere }),
  "systemd-run": running({ values: "-pHMuE --unit --property --setenv", own: elsewhere }),
  daemonize: running({ values: "-ceElopu", own: elsewhere }),
  "strace ltrace": running({ values: "-oepsSPuaEIXOb --output --trace", own: writesWith("-o --output") }),
  unshare,
  sg,
  entr,
  flock,
  script,
  watch,
};
