import { type Argument, equals, isExact, mayBeOption } from "./argument.ts";
import { isFlag } from "./flags.ts";

/** How a program reads its options. */
export interface OptionShape {
  /** The letters that take a value, behind them or in the next word: `kt` for `-k 2 -t,`. */
  readonly short?: string;
  /** The letters whose value can only stand behind them: `i` for `-i.bak`. */
  readonly attached?: string;
  /** The long names that take a value, behind `=` or in the next word. */
  readonly long?: readonly string[];
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
  readonly options: Option[];
  readonly operands: Argument[];
  readonly doubtful: Option[];
  readonly waiting: Argument[];
  readonly takers: Set<string>;
  isLoose: boolean;
  /** The long option that was read last, where it was given no value. */
  last: string | undefined;
}

/** Sorts the words of a program into options and operands. */
export function parseOptions(args: readonly Argument[], shape: OptionShape): ParsedOptions {
  const reading: Reading = {
    shape,
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
  const takesValue = reading.shape.long?.some((long) => isNamed(name, long)) === true;
  if (takesValue) reading.takers.add(name);
  if (at >= 0) reading.options.push({ name, value: { ...word, text: word.text.slice(at + 1) }, follows });
  else if (takesValue) reading.options.push({ name, value: takeValue(reading), follows });
  else {
    reading.options.push({ name, value: undefined, follows });
    reading.last = name;
  }
}

function takeShort(reading: Reading, word: Argument, follows: string | undefined): void {
  const { short = "", attached = "" } = reading.shape;
  for (let at = 1; at < word.text.length; at += 1) {
    const letter = word.text.charAt(at);
    const name = `-${letter}`;
    const behind = { ...word, text: word.text.slice(at + 1) };
    const hasBehind = behind.text !== "" || !isExact(behind);
    if (short.includes(letter) || attached.includes(letter)) {
      const next = short.includes(letter) && !hasBehind ? takeValue(reading) : behind;
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
export const isWholly = (given: string, name: string): boolean => given === name || `-${given}` === name;

/** Tells whether an option as it was written means one by name: long names may be cut short. */
function isNamed(given: string, name: string): boolean {
  return isWholly(given, name) || (given.length > 2 && name.startsWith("--") && name.startsWith(given));
}

/** Returns the options given that mean one of several names. */
export function findOptions(parsed: ParsedOptions, names: readonly string[]): readonly Option[] {
  return parsed.options.filter((option) => names.some((name) => isNamed(option.name, name)));
}

/** Returns the first option given that means one of several names. */
export const findOption = (parsed: ParsedOptions, names: readonly string[]): Option | undefined =>
  findOptions(parsed, names)[0];
