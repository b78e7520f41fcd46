import { isDevice, isOutput } from "./argument.ts";
import { type Classification, quote, reads, unknown, type Verdict, worst, writes } from "./classification.ts";
import { findLooking } from "./looking.ts";
import { findOption, findOptions, type OptionShape, type ParsedOptions, parseOptions } from "./options.ts";
import { type Call, plainly, type Rule } from "./rule.ts";

/** What the options of a program make it do. */
export interface OptionSpec extends OptionShape {
  /** What it does without one of the options below. */
  readonly otherwise: Verdict;
  /** Options that make it write; one whose value is a device does not. */
  readonly writes?: readonly string[];
  /** Whether it takes `-` for its output; to others that is a file by this name. */
  readonly printsToDash?: boolean;
  /** Options that make it run something, or follow a file that is not seen here. */
  readonly runs?: readonly string[];
  /** Options that make it only look, as `--dry-run`. */
  readonly reads?: readonly string[];
  /** The place of the first operand that it writes to. */
  readonly writesFrom?: number;
  /** What it does when it is given no operand. */
  readonly bare?: Verdict;
}

/** Returns the rule of a program whose options say whether it writes. */
export function byOptions(spec: OptionSpec): Rule {
  return (call) => judgeOptions(call, spec, parseOptions(call.args, spec));
}

/** Judges options that were parsed already. */
export function judgeOptions(
  { name }: Pick<Call, "name">,
  spec: OptionSpec,
  parsed: ParsedOptions,
): Classification {
  const all = { ...parsed, options: [...parsed.options, ...parsed.doubtful] };
  const isPrinted = spec.printsToDash === true ? isOutput : isDevice;
  const writing = findOptions(all, spec.writes ?? []).find(({ value }) => !isPrinted(value));
  if (writing !== undefined) return writes(`${quote(`${name} ${writing.name}`)} writes a file.`);
  const target = parsed.operands
    .slice(spec.writesFrom ?? parsed.operands.length)
    .find((each) => !isPrinted(each));
  if (target !== undefined) return writes(`${quote(name)} writes a file that it is told.`);
  const running = findOption(all, spec.runs ?? []);
  if (running === undefined) return judgeLooking(name, spec, parsed);
  const followed = unknown(`${quote(`${name} ${running.name}`)} follows something that is not seen here.`);
  return worst(judgeLooking(name, spec, parsed), followed);
}

function judgeLooking(name: string, spec: OptionSpec, parsed: ParsedOptions): Classification {
  const looking = findLooking(parsed, spec.reads ?? []);
  if (looking.type === "looks") return reads(`${quote(`${name} ${looking.option.name}`)} only reads.`);
  const rest = judgeRest(name, spec, parsed);
  if (looking.type === "acts" || rest.verdict !== "writes" || parsed.isLoose) return rest;
  const before = quote(looking.option.follows ?? name);
  return unknown(`${quote(looking.option.name)} may be what ${before} is told.`);
}

function judgeRest(name: string, spec: OptionSpec, parsed: ParsedOptions): Classification {
  const { operands, isLoose } = parsed;
  const verdict = operands.length === 0 && !isLoose ? (spec.bare ?? spec.otherwise) : spec.otherwise;
  const hasChoice = spec.writes !== undefined || spec.runs !== undefined || spec.writesFrom !== undefined;
  if (verdict === "reads" && isLoose && hasChoice)
    return unknown(`Which options ${quote(name)} gets is decided only when it runs.`);
  return plainly(verdict, name);
}
