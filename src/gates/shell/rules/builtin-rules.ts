import { type Argument, equals, isExact, joinWords, mayBeOption, wild } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { type Classification, nothing, quote, unknown, worst } from "../classification.ts";
import { judgeIdentity, judgeVariable } from "../environment.ts";
import { judgeCarryon } from "../judge-carryon.ts";
import { hidden } from "../judge-expansions.ts";
import { findOption, parseOptions } from "../options.ts";
import { type Call, listed, plainly, type Rule, type Rules } from "../rule.ts";
import { forget, forgetAll, spend } from "../shell.ts";

/** Text that names a place in an array is computed, and what is computed may run a command. */
function judgeNames({ name }: Call, words: readonly Argument[]): Classification {
  const computed = words.some(({ text }) => text.includes("[") && hidden.test(text));
  return computed ? unknown(`What ${quote(name)} computes may run a command.`) : nothing;
}

/** `export A=1`, `local b`, `declare -r C=2`: sets variables of this shell. */
const declare: Rule = (call) =>
  worst(
    plainly("reads", call.name),
    judgeNames(call, call.args),
    ...call.args.map((word) => declareOne(call, word)),
  );

function declareOne(call: Call, word: Argument): Classification {
  const { shell, script } = call;
  const [, name, more] = /^([A-Za-z_]\w*)(\[[^\]]*\]\+?|\+)?=/.exec(word.text) ?? [];
  if (name === undefined) {
    // `-i` computes, `-u` and `-l` change the letters.
    if (mayBeOption(word) || /^[-+].*[ilucaA]/.test(word.text)) forgetAll(shell);
    return /^-[A-Za-z]*n/.test(word.text) && call.name !== "export"
      ? unknown(`${quote(`${call.name} -n`)} makes a name stand for another.`)
      : judgeIdentity(word.text);
  }
  const value = { ...word, text: word.text.slice(word.text.indexOf("=") + 1) };
  shell.variables.set(name, more === undefined ? value : wild);
  return judgeVariable(name, value, script);
}

/** `read a b`, `mapfile lines`: gives variables values that are not known before. */
const reading: Rule = (call) => {
  const parsed = parseOptions(call.args, { short: "adinNptuCcOs" });
  const names = [...parsed.operands, ...parsed.options.flatMap(({ value }) => value ?? [])];
  for (const word of names) forget(call.shell, word.text);
  for (const implied of ["REPLY", "MAPFILE", "OPTARG"]) forget(call.shell, implied);
  if (parsed.isLoose) forgetAll(call.shell);
  const runs = call.name === "mapfile" || call.name === "readarray" ? findOption(parsed, ["-C"]) : undefined;
  const set = names.map((word) => judgeVariable(word.text, wild, () => nothing));
  return worst(plainly(runs === undefined ? "reads" : "unknown", call.name), judgeNames(call, names), ...set);
};

const printf: Rule = (call) => {
  const [first, second] = call.args;
  if (first !== undefined && mayBeOption(first)) forgetAll(call.shell);
  if (first?.text.startsWith("-v") !== true) return plainly("reads", call.name);
  const target = first.text.slice(2) || (second?.text ?? "");
  forget(call.shell, target);
  return worst(
    plainly("reads", call.name),
    judgeNames(call, call.args.slice(0, 2)),
    judgeVariable(target, wild, () => nothing),
  );
};

const alias: Rule = ({ name, args, shell }) => {
  for (const { text, rest } of args) {
    const at = text.indexOf("=");
    if (at > 0 && rest === "nothing") shell.aliases.set(text.slice(0, at), text.slice(at + 1));
    // A program that nobody knows stands for what is not known.
    else if (at > 0) shell.aliases.set(text.slice(0, at), '"$unknown"');
  }
  return plainly("reads", name);
};

const unset: Rule = (call) => {
  for (const { text } of call.args) {
    forget(call.shell, text);
    const known = call.shell.functions.get(text);
    if (known !== undefined) call.shell.functions.set(text, { ...known, isCertain: false });
  }
  const identities = call.args.map(({ text }) => judgeIdentity(text));
  return worst(plainly("reads", call.name), judgeNames(call, call.args), ...identities);
};

const evaluated: Rule = ({ args, evals, name }) =>
  args.length === 0 ? plainly("reads", name) : evals(joinWords(args));

const trap: Rule = ({ args, evals, name }) => {
  const parsed = parseOptions(args, { endsAtOperand: true });
  const [action] = parsed.operands;
  if (action === undefined || parsed.operands.length === 1 || equals(action, "-"))
    return plainly("reads", name);
  return evals(action);
};

const checked: Rule = (call) => worst(plainly("reads", call.name), judgeNames(call, call.args));

const compute: Rule = (call) => {
  spend(call.shell, call.args.length);
  forgetAll(call.shell);
  return worst(
    plainly("reads", call.name),
    call.args.every(isExact) && call.args.some(({ text }) => hidden.test(text))
      ? unknown("What `let` computes may run a command.")
      : nothing,
  );
};

/** What a shell does itself. */
export const builtinRules: Rules = {
  ...listed(
    "reads",
    `: cd pushd popd dirs pwd exit return break continue shift wait jobs fg bg disown suspend logout ulimit umask set shopt
     type help times caller bind compopt unalias`,
  ),
  ...listed("unknown", "source . fc at batch"),
  carryon: ({ args }) => judgeCarryon(args),
  test: checked,
  "[": checked,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  read: reading,
  mapfile: reading,
  readarray: reading,
  getopts: reading,
  printf,
  alias,
  unset,
  let: compute,
  eval: evaluated,
  trap,
  hash: byOptions({ otherwise: "reads", short: "p", runs: ["-p"] }),
  enable: byOptions({ otherwise: "unknown", bare: "reads" }),
  complete: byOptions({ otherwise: "reads", short: "oAGWFCXPS" }),
  compgen: byOptions({ otherwise: "reads", short: "oAGWFCXPS", runs: ["-C", "-F", "-W"] }),
  history: byOptions({ otherwise: "reads", short: "d", writes: ["-w", "-a", "-c", "-d"] }),
};
