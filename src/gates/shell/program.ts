import { type Argument, equals, isDevice, isExact, isOutput, type KnownText } from "./argument.ts";
import { type Classification, quote, reads, unknown, type Verdict, worst, writes } from "./classification.ts";
import {
  findLooking,
  findOption,
  findOptions,
  listWords,
  type OptionShape,
  type ParsedOptions,
  parseOptions,
} from "./options.ts";
import type { Shell } from "./shell.ts";

/** A program and its words as a rule gets to see them. */
export interface Call {
  /** The bare name, with its subcommand where a rule for that is asked: `git stash`. */
  readonly name: string;
  readonly args: readonly Argument[];
  readonly stdin: KnownText;
  readonly shell: Shell;
  /** Judges words as a program that is started; functions and aliases are not seen by it. */
  readonly runs: (words: readonly Argument[]) => Classification;
  /** Judges a text that another shell runs. */
  readonly script: (text: KnownText) => Classification;
  /** Judges a text that this shell runs. */
  readonly evals: (text: KnownText) => Classification;
}

/** Judges a program by its words, for programs that data cannot describe. */
export type Rule = (call: Call) => Classification;

/** Describes a program by its options and subcommands. */
export interface Program extends Omit<OptionShape, "values"> {
  /** The verdict when nothing below applies; of a program with subcommands, the verdict for an unlisted one. */
  readonly does: Verdict;
  /** The verdict without operands: as `does` when omitted, but `reads` for a program with subcommands. */
  readonly bare?: Verdict;
  /**
   * The options that matter, with blanks between them, each with signs for what it does: `=` takes a value, `!` writes a
   * file unless its value is a device, `?` starts a program or loads further settings, `.` makes the program only look.
   * Letters may share a dash: `-kt= -o=! --output=! --dry-run.`
   */
  readonly options?: string;
  /** The index of the first operand that is written to. */
  readonly writesFrom?: number;
  /** Whether `-` means its output; for other programs that is a file of this name. */
  readonly printsToDash?: boolean;
  /** Words that make the verdict at least as bad as the one beside them. */
  readonly words?: readonly (readonly [pattern: RegExp, verdict: Verdict])[];
  readonly subcommands?: Programs;
  /** Whether its own options may follow the subcommand too. */
  readonly takesOptionsAnywhere?: boolean;
  /** Judges a subcommand that is not listed, given with it as the first word. */
  readonly others?: Rule;
}

/** How one program is judged: by a verdict, a verdict and options, data or a function. */
export type Entry = Verdict | `${Verdict} ${string}` | Program | Rule;

/** Programs by name; a key may list several names with blanks between them. */
export type Programs = Readonly<Record<string, Entry>>;

/** Returns the programs by their single names. */
export const indexPrograms = (programs: Programs): ReadonlyMap<string, Entry> =>
  new Map(
    Object.entries(programs).flatMap(([names, entry]) => listWords(names).map((name) => [name, entry])),
  );

/** Judges a call of a program. */
export function judgeCall(entry: Entry, call: Call): Classification {
  if (typeof entry === "function") return entry(call);
  if (typeof entry === "string") return judgeText(entry, call);
  const found =
    entry.subcommands === undefined
      ? judgeOptions(call.name, entry, parseOptions(call.args, shapeOf(entry)))
      : judgeSubcommands(call, entry, entry.subcommands);
  const signs = (entry.words ?? []).filter(([pattern]) => call.args.some(({ text }) => pattern.test(text)));
  return worst(found, ...signs.map(([, verdict]) => plainly(verdict, call.name)));
}

function judgeText(text: Extract<Entry, string>, call: Call): Classification {
  const [does, ...options] = listWords(text) as [Verdict, ...string[]];
  if (options.length === 0) return plainly(does, call.name);
  return judgeCall({ does, options: options.join(" ") }, call);
}

/** Returns the options of a program that have a sign. */
function optionsWith(sign: "=" | "!" | "?" | ".", { options = "", hasOneDash }: Program): string {
  const signed = listWords(options).flatMap((word) => {
    const [, name = "", signs = ""] = /^(.*?)([=!?.]*)$/.exec(word) ?? [];
    if (!signs.includes(sign)) return [];
    return hasOneDash === true || name.startsWith("--")
      ? [name]
      : [...name.slice(1)].map((each) => `-${each}`);
  });
  return signed.join(" ");
}

/** Returns how a program reads its options. */
export const shapeOf = (program: Program): OptionShape => ({ ...program, values: optionsWith("=", program) });

/** Returns the sentence for a verdict about a program as a whole. */
export function plainly(verdict: Verdict, name: string): Classification {
  if (verdict === "reads") return reads(`${quote(name)} only reads.`);
  if (verdict === "writes") return writes(`${quote(name)} changes files.`);
  return unknown(`What ${quote(name)} does is decided only when it runs.`);
}

/** Tells whether the only word asks for the help or the version. */
export const isHelp = (args: readonly Argument[]): boolean =>
  args.length === 1 && ["--help", "--version"].some((text) => equals(args[0], text));

/** Judges options that were parsed already. */
function judgeOptions(name: string, program: Program, parsed: ParsedOptions): Classification {
  const all = { ...parsed, options: [...parsed.options, ...parsed.doubtful] };
  const isPrinted = program.printsToDash === true ? isOutput : isDevice;
  const writing = findOptions(all, optionsWith("!", program)).find(({ value }) => !isPrinted(value));
  if (writing !== undefined) return writes(`${quote(`${name} ${writing.name}`)} writes a file.`);
  const targets = parsed.operands.slice(program.writesFrom ?? parsed.operands.length);
  if (!targets.every(isPrinted)) return writes(`${quote(name)} writes a file that it is told.`);
  const found = judgeLooking(name, program, parsed);
  const running = findOption(all, optionsWith("?", program));
  if (running === undefined) return found;
  return worst(
    found,
    unknown(`${quote(`${name} ${running.name}`)} follows something that is not seen here.`),
  );
}

function judgeLooking(name: string, program: Program, parsed: ParsedOptions): Classification {
  const looking = findLooking(parsed, optionsWith(".", program));
  if (looking.type === "looks") return reads(`${quote(`${name} ${looking.option.name}`)} only reads.`);
  const rest = judgeRest(name, program, parsed);
  if (looking.type === "acts" || rest.verdict !== "writes" || parsed.isLoose) return rest;
  const before = quote(looking.option.follows ?? name);
  return unknown(`${quote(looking.option.name)} may be what ${before} is told.`);
}

function judgeRest(name: string, program: Program, { operands, isLoose }: ParsedOptions): Classification {
  const { does, bare = does, options = "", writesFrom, takesOptionsAnywhere = false } = program;
  const verdict = operands.length === 0 && !isLoose ? bare : does;
  const hasChoice = takesOptionsAnywhere || /[!?]/.test(options) || writesFrom !== undefined;
  if (verdict === "reads" && isLoose && hasChoice)
    return unknown(`Which options ${quote(name)} gets is decided only when it runs.`);
  return plainly(verdict, name);
}

function judgeSubcommands(call: Call, program: Program, subcommands: Programs): Classification {
  const found = judgeFirst(call, program, subcommands);
  if (program.takesOptionsAnywhere !== true || found.verdict !== "reads") return found;
  const own = judgeOptions(
    call.name,
    { ...program, does: "reads", bare: "reads" },
    parseOptions(call.args, shapeOf(program)),
  );
  return own.verdict === "reads" ? found : own;
}

function judgeFirst(call: Call, program: Program, subcommands: Programs): Classification {
  const parsed = parseOptions(call.args, { ...shapeOf(program), endsAtOperand: true });
  const [subcommand, ...args] = parsed.operands;
  const reading: Program = { ...program, does: "reads", bare: "reads" };
  const own = judgeOptions(call.name, reading, { ...parsed, operands: [] });
  if (own.verdict !== "reads" || parsed.isLoose) return own;
  if (subcommand === undefined)
    return judgeOptions(call.name, { ...program, does: program.bare ?? "reads" }, parsed);
  if (!isExact(subcommand)) return unknown(`What ${quote(call.name)} is told is decided only when it runs.`);
  const entry = indexPrograms(subcommands).get(subcommand.text);
  if (entry === undefined && program.others !== undefined)
    return program.others({ ...call, args: parsed.operands });
  const name = `${call.name} ${subcommand.text}`;
  if (entry === undefined) return plainly(program.does, name);
  return isHelp(args)
    ? reads(`${quote(`${name} --help`)} only reads.`)
    : judgeCall(entry, { ...call, name, args });
}
