import { type Argument, equals, isExact, joinWords, mayBeOption, wild } from "../argument.ts";
import { type Classification, nothing, quote, unknown, worst } from "../classification.ts";
import { judgeCarryon } from "../judge-carryon.ts";
import { hidden } from "../judge-expansions.ts";
import { findOption, findOptions, parseOptions } from "../options.ts";
import { type Call, type Entry, type Programs, plainly, type Rule } from "../program.ts";
import {
  forget,
  forgetAll,
  judgeExported,
  judgeIdentity,
  judgeName,
  judgeVariable,
  spend,
  variableOf,
} from "../shell.ts";

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
      : judgeMarked(call, word);
  }
  const value = { ...word, text: word.text.slice(word.text.indexOf("=") + 1) };
  shell.variables.set(name, more === undefined ? value : wild);
  return (isExporting(call) ? judgeExported : judgeVariable)(name, value, script);
}

/** Judges a word without a value: an option, or a variable that programs are given from here on. */
function judgeMarked(call: Call, word: Argument): Classification {
  if (/^[-+]/.test(word.text)) return nothing;
  // It may be any name with any value.
  if (mayBeOption(word)) return unknown(`What ${quote(call.name)} sets is decided only when it runs.`);
  const { text } = word;
  return isExporting(call)
    ? judgeExported(text, variableOf(call.shell, text), call.script)
    : judgeIdentity(text);
}

const isExporting = ({ name, args }: Call): boolean =>
  name === "export" || args.some(({ text }) => /^[-+][A-Za-z]*x/.test(text));

/** Their letters that take a value. */
const readers: ReadonlyMap<string, string> = new Map([
  ["read", "adinNptu"],
  ["mapfile", "dnOsuCc"],
  ["readarray", "dnOsuCc"],
]);

/** Returns the variable of a place in an array. */
const bareName = (text: string): string => text.replace(/\[.*$/s, "");

/** `read a b`, `mapfile lines`: gives variables values that are not known before. */
const reading: Rule = (call) => {
  const parsed = parseOptions(call.args, { values: `-${readers.get(call.name) ?? ""}` });
  const given = findOptions(parsed, "-a").flatMap(({ value }) => value ?? []);
  const names = [...parsed.operands, ...given];
  for (const word of names) forget(call.shell, word.text);
  for (const implied of ["REPLY", "MAPFILE", "OPTARG"]) forget(call.shell, implied);
  if (parsed.isLoose) forgetAll(call.shell);
  const runs = findOption(parsed, "-C") !== undefined || parsed.isLoose;
  const set = names.map(({ text }) => judgeName(bareName(text)));
  return worst(plainly(runs ? "unknown" : "reads", call.name), judgeNames(call, names), ...set);
};

const printf: Rule = (call) => {
  const [first, second] = call.args;
  if (first !== undefined && mayBeOption(first)) forgetAll(call.shell);
  if (first?.text.startsWith("-v") !== true) return plainly("reads", call.name);
  const target = first.text.slice(2) || (second?.text ?? "");
  forget(call.shell, target);
  if (![first, second].every((word) => word === undefined || isExact(word)) && target === "")
    return unknown("What `printf -v` sets is decided only when it runs.");
  return worst(
    plainly("reads", call.name),
    judgeNames(call, call.args.slice(0, 2)),
    judgeName(bareName(target)),
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
  // Without it programs are looked for in the folder at hand.
  const isLost = call.args.some((word) => equals(word, "PATH"));
  if (isLost) return unknown("`unset PATH` changes what programs run.");
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

const completing: Entry = "reads -oAGXPS= -WFC=?";

/** What a shell does itself. */
export const builtinRules: Programs = {
  [`: cd pushd popd dirs pwd exit return break continue shift wait jobs fg bg disown suspend logout ulimit umask shopt
    type help times caller compopt unalias`]: "reads",
  // With these, all variables that follow are given to programs, or words that only look like variables.
  set: { does: "reads", words: [[/^-[A-Za-z]*[ak]|^(?:allexport|keyword)$/, "unknown"]] },
  bind: "reads -mqur= -fx=?",
  carryon: ({ args }) => judgeCarryon(args),
  "test [": checked,
  "export declare typeset local readonly": declare,
  "read mapfile readarray getopts": reading,
  printf,
  alias,
  unset,
  let: compute,
  eval: evaluated,
  trap,
  hash: "reads -p=?",
  enable: { does: "unknown", bare: "reads" },
  "complete compgen": completing,
  history: "reads -d=! -wac!",
};
