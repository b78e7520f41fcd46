import { type Argument, equals, isExact, mayBeOption } from "./argument.ts";

/** How a program reads its options. */
export interface OptionShape {
  /** The options that take a value, behind them or in the next word: `-kt --key`. Letters may share a dash. */
  readonly values?: string;
  /** The letters whose value can only stand behind them: `i` for `-i.bak`. */
  readonly attached?: string;
  /** Whether one dash begins a long name too, as in `find -name`. */
  readonly hasOneDash?: boolean;
  /** Whether the first word that is no option ends the options, as in `env -i ls -l`. */
  readonly endsAtOperand?: boolean;
}

export interface Option {
  /** With its dashes: `-o`, `--output`. */
  readonly name: string;
  readonly value: Argument | undefined;
  /** The long option right before it that has no value: what seems an option may be that value. */
  readonly follows: string | undefined;
}

export interface ParsedOptions {
  readonly options: readonly Option[];
  readonly operands: readonly Argument[];
  /** Values that begin with a dash, read as options: which of the two they are, versions of a program may see differently. */
  readonly doubtful: readonly Option[];
  /** Whether a word that is not known before the run may hold further options. */
  readonly isLoose: boolean;
  /** The options given that take a value. */
  readonly takers: ReadonlySet<string>;
}

/** What has been read of the words so far. */
interface Reading {
  readonly shape: OptionShape;
  /** The letters and the long names that take a value. */
  readonly letters: string;
  readonly names: readonly string[];
  readonly options: Option[];
  readonly operands: Argument[];
  readonly doubtful: Option[];
  readonly waiting: Argument[];
  readonly takers: Set<string>;
  isLoose: boolean;
  /** The long option that was read last, where it was given no value. */
  last: string | undefined;
}

/** Returns the words of a text. */
export const listWords = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** Sorts the words of a program into options and operands. */
export function parseOptions(args: readonly Argument[], shape: OptionShape): ParsedOptions {
  const values = listWords(shape.values ?? "");
  const isBundle = (value: string): boolean => shape.hasOneDash !== true && !value.startsWith("--");
  const reading: Reading = {
    shape,
    letters: values.filter(isBundle).join("").replaceAll("-", ""),
    names: values.filter((value) => !isBundle(value)),
    options: [],
    operands: [],
    doubtful: [],
    waiting: [...args].reverse(),
    takers: new Set(),
    isLoose: false,
    last: undefined,
  };
  for (let word = reading.waiting.pop(); word !== undefined; word = reading.waiting.pop()) {
    const isEnd = equals(word, "--");
    if (isEnd) doubtEnd(reading);
    else take(reading, word);
    if (isEnd || (shape.endsAtOperand === true && reading.operands.length > 0)) {
      reading.operands.push(...reading.waiting.splice(0).reverse());
    }
  }
  const { options, operands, doubtful, isLoose, takers } = reading;
  return { options, operands, doubtful, isLoose, takers };
}

/** Behind an option that may take a value, the `--` may be that value, and what follows it options. */
function doubtEnd({ last, waiting, doubtful }: Reading): void {
  if (last !== undefined && !isFlag(last)) doubtful.push(...waiting.flatMap(asOptions));
}

function take(reading: Reading, word: Argument): void {
  const { last } = reading;
  reading.last = undefined;
  if (!word.text.startsWith("-") || equals(word, "-")) {
    reading.operands.push(word);
    // The word that ends the options is looked at by whoever takes it as a program.
    if (mayBeOption(word) && reading.shape.endsAtOperand !== true) reading.isLoose = true;
  } else if (word.text.startsWith("--") || reading.shape.hasOneDash === true) takeLong(reading, word, last);
  else takeShort(reading, word, last);
}

function takeLong(reading: Reading, word: Argument, follows: string | undefined): void {
  const at = word.text.indexOf("=");
  const written = at < 0 ? word.text : word.text.slice(0, at);
  // Where one dash begins a long name, two do too.
  const name = reading.shape.hasOneDash === true ? written.replace(/^--/, "-") : written;
  if (at < 0 && !isExact(word)) reading.isLoose = true;
  const takesValue = reading.names.some((long) => isNamed(name, long));
  if (takesValue) reading.takers.add(name);
  if (at >= 0) reading.options.push({ name, value: { ...word, text: word.text.slice(at + 1) }, follows });
  else if (takesValue) reading.options.push({ name, value: takeValue(reading), follows });
  else {
    reading.options.push({ name, value: undefined, follows });
    reading.last = name;
  }
}

function takeShort(reading: Reading, word: Argument, follows: string | undefined): void {
  const { letters, shape } = reading;
  for (let at = 1; at < word.text.length; at += 1) {
    const letter = word.text.charAt(at);
    const name = `-${letter}`;
    const behind = { ...word, text: word.text.slice(at + 1) };
    const hasBehind = behind.text !== "" || !isExact(behind);
    const takesNext = letters.includes(letter);
    if (takesNext || shape.attached?.includes(letter) === true) {
      const next = takesNext && !hasBehind ? takeValue(reading) : behind;
      reading.takers.add(name);
      reading.options.push({ name, value: next, follows });
      return;
    }
    reading.options.push({ name, value: undefined, follows });
  }
  if (!isExact(word)) reading.isLoose = true;
}

/** Takes the next word as a value; one that may fall into several may hold options too. */
function takeValue(reading: Reading): Argument | undefined {
  const value = reading.waiting.pop();
  if (value?.rest === "wild") reading.isLoose = true;
  if (value !== undefined) reading.doubtful.push(...asOptions(value));
  return value;
}

function asOptions({ text }: Argument): readonly Option[] {
  const names = text.startsWith("--")
    ? [text.replace(/=.*$/s, "")]
    : [...text.slice(1)].map((letter) => `-${letter}`);
  return /^-./.test(text) ? names.map((name) => ({ name, value: undefined, follows: undefined })) : [];
}

/** Tells whether an option as it was written is one by its whole name; where one dash is enough, it was read with one. */
const isWholly = (given: string, name: string): boolean => given === name || `-${given}` === name;

/** Tells whether an option as it was written means one by name: long names may be cut short. */
function isNamed(given: string, name: string): boolean {
  return isWholly(given, name) || (given.length > 2 && name.startsWith("--") && name.startsWith(given));
}

/** Returns the options given that mean one of several names, which a text lists. */
export function findOptions(parsed: ParsedOptions, names: string): readonly Option[] {
  const wanted = listWords(names);
  return parsed.options.filter((option) => wanted.some((name) => isNamed(option.name, name)));
}

/** Returns the first option given that means one of several names. */
export const findOption = (parsed: ParsedOptions, names: string): Option | undefined =>
  findOptions(parsed, names)[0];

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
export function findLooking(parsed: ParsedOptions, listed: string): Looking {
  const names = listWords(listed);
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
export const looks = (parsed: ParsedOptions, names: string): boolean =>
  findLooking(parsed, names).type === "looks";

/** Tells the same of a program whose options end at a word: one that is known only when it runs may go on with them. */
export const looksAhead = (parsed: ParsedOptions, names: string): boolean =>
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

/** Long options that take no value, whatever the program. */
const flags: ReadonlySet<string> = new Set(
  `abort all allow-empty amend archive atomic autostash backup branch bare cached check checksum clean compress copy-links
   debug delete delete-after delete-before delete-during delete-excluded diff dry-run edit existing force force-if-includes
   force-with-lease frozen frozen-lockfile follow-tags global hard-links help hidden human-readable ignore-errors
   ignore-existing ignore-missing ignore-scripts ignore-times inplace in-place intent-to-add interactive itemize-changes json
   keep keep-index legacy-peer-deps list links locked long mirror null numstat offline one-file-system owner package-lock-only
   parseable partial patch perms porcelain prefer-offline progress prune prune-empty-dirs quiet recursive relative renormalize
   save save-dev save-exact save-optional save-peer save-prod set-upstream short signoff silent size-only staged stat stats
   stdout summary tags thin times unified update verbose version whole-file workspaces yes`
    .split(/\s+/)
    .map((name) => `--${name}`),
);

/** Tells whether a long option, of one dash or two, is known to take no value, so that what follows is a word of its own. */
export function isFlag(given: string): boolean {
  const name = given.replace(/^--?/, "--");
  return flags.has(name) || /^--no-(?!contains$|merged$)/.test(name);
}
