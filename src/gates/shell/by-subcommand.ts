import { type Argument, equals, isExact } from "./argument.ts";
import { byOptions, judgeOptions, type OptionSpec } from "./by-options.ts";
import { type Classification, quote, reads, unknown, type Verdict } from "./classification.ts";
import { parseOptions } from "./options.ts";
import { type Call, plainly, type Rule, type Rules } from "./rule.ts";

/** A program whose first operand says what it does. */
export interface SubcommandSpec extends Omit<OptionSpec, "otherwise" | "bare"> {
  readonly subcommands: Rules;
  /** What it does without a subcommand. */
  readonly bare: Verdict;
  /** What a subcommand does that is not listed. */
  readonly otherwise: Verdict;
  /** Whether its own options may stand behind the subcommand too. */
  readonly takesOptionsAnywhere?: boolean;
  /** Judges a subcommand that is not listed, given with it as the first word. */
  readonly others?: (call: Call) => Classification;
}

/** Returns the rule of a program with subcommands. */
export function bySubcommand(spec: SubcommandSpec): Rule {
  const rule = judgingFirst(spec);
  if (spec.takesOptionsAnywhere !== true) return rule;
  const judgeOwn = byOptions({ ...spec, otherwise: "reads", bare: "reads" });
  return (call) => {
    const found = rule(call);
    const own = judgeOwn(call);
    return found.verdict === "reads" && own.verdict !== "reads" ? own : found;
  };
}

function judgingFirst(spec: SubcommandSpec): Rule {
  const rules = new Map(Object.entries(spec.subcommands));
  return (call) => {
    const parsed = parseOptions(call.args, { ...spec, endsAtOperand: true });
    const [subcommand, ...args] = parsed.operands;
    const own = judgeOptions(
      call,
      { ...spec, otherwise: "reads", bare: "reads" },
      { ...parsed, operands: [] },
    );
    if (own.verdict !== "reads" || parsed.isLoose) return own;
    if (subcommand === undefined) return judgeOptions(call, { ...spec, otherwise: spec.bare }, parsed);
    if (!isExact(subcommand))
      return unknown(`What ${quote(call.name)} is told is decided only when it runs.`);
    if (spec.others !== undefined && !rules.has(subcommand.text))
      return spec.others({ ...call, args: parsed.operands });
    return judgeSubcommand(
      { ...call, name: `${call.name} ${subcommand.text}`, args },
      rules.get(subcommand.text),
      spec,
    );
  };
}

function judgeSubcommand(call: Call, rule: Rules[string] | undefined, spec: SubcommandSpec): Classification {
  if (rule === undefined) return plainly(spec.otherwise, call.name);
  return isHelp(call.args) ? reads(`${quote(`${call.name} --help`)} only reads.`) : rule(call);
}

/** Tells whether the only word asks for the help or the version. */
export function isHelp(args: readonly Argument[]): boolean {
  return args.length === 1 && ["--help", "--version"].some((text) => equals(args[0], text));
}
