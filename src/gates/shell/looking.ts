import { isExact, mayBeOption } from "./argument.ts";
import { isFlag } from "./flags.ts";
import { isWholly, type Option, type ParsedOptions } from "./options.ts";

/** Whether options make a program only look: for certain, perhaps, or not at all. */
type Looking =
  | { readonly type: "looks"; readonly option: Option }
  | { readonly type: "may-look"; readonly option: Option }
  | { readonly type: "acts" };

/**
 * Tells whether one of the options by which a program only looks is given and counts.
 *
 * Where it is taken back, as by `--no-dry-run` or `--dry-run=false`, it does not, wherever the one or the other stands. It
 * may not where it follows an option whose value it could be in truth.
 */
export function findLooking(parsed: ParsedOptions, names: readonly string[]): Looking {
  const isOne = ({ name: given }: Option): boolean => names.some((name) => isWholly(given, name));
  const given = parsed.options.filter(isOne);
  const others = [...parsed.options, ...parsed.doubtful].filter((option) => !isOne(option));
  const isTakenBack =
    given.some((option) => !isSwitchedOn(parsed, option)) ||
    others.some((option) => names.some((name) => isOpposite(option.name, name)));
  const [first] = given;
  if (first === undefined || isTakenBack) return { type: "acts" };
  const certain = given.find(isOption);
  return certain === undefined || parsed.isLoose
    ? { type: "may-look", option: first }
    : { type: "looks", option: certain };
}

/** Tells whether an option is one for certain, and not the value of the one before it. */
export const isOption = ({ follows }: Option): boolean => follows === undefined || isFlag(follows);

/** Tells whether one of these options is given and counts for certain. */
export const looks = (parsed: ParsedOptions, names: readonly string[]): boolean =>
  findLooking(parsed, names).type === "looks";

/** Tells the same of a program whose options end at a word: one that is known only when it runs may go on with them. */
export const looksAhead = (parsed: ParsedOptions, names: readonly string[]): boolean =>
  looks(parsed, names) && !parsed.operands.slice(0, 1).some(mayBeOption);

/** Tells whether an option is on: it was given no value, one that it takes, or one that says so. */
function isSwitchedOn({ takers }: ParsedOptions, { name, value }: Option): boolean {
  if (value === undefined || takers.has(name)) return true;
  return isExact(value) && /^(?:true|1|yes|on)$/i.test(value.text);
}

/** Tells whether an option is the opposite of another: `--no-dry` of `--dry-run`. */
function isOpposite(given: string, name: string): boolean {
  const [, stem] = /^--no-(.+)$/.exec(given) ?? [];
  return stem !== undefined && name.startsWith(`--${stem}`);
}
