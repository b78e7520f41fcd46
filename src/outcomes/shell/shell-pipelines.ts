import { isBlockWord, opensBlock, type Place, ShellBlocks } from "./shell-blocks.ts";
import { type ShellToken, shellTokens } from "./shell-tokens.ts";

export interface Command {
  readonly words: readonly string[];
  /** The files that it is told to read from or write to. */
  readonly writes: readonly string[];
}

/** Commands of which each reads what the one before it writes, and where in the line they stand. */
export interface Pipeline extends Place {
  readonly commands: readonly Command[];
  /** What stands between it and the next one. */
  readonly joint: string;
  /** The pipeline that reads what it prints, where what stands around it is piped as one. */
  readonly into?: number;
  /** Whether what stands around it is asked how it ended, so that a failure inside does not stop a shell at once. */
  readonly isGuarded?: boolean;
}

/** What has been read of a line so far. */
interface Reading {
  readonly pipelines: Pipeline[];
  readonly commands: Command[];
  readonly blocks: ShellBlocks;
  words: string[];
  writes: string[];
  /** Where the block began that has just been closed, while nothing has come after it. */
  closed: number | undefined;
}

/** Returns the pipelines of a command line in order; brackets and the words of loops are taken off. */
export function shellPipelines(line: string): readonly Pipeline[] {
  const blocks = new ShellBlocks();
  const reading: Reading = {
    ...{ pipelines: [], commands: [], blocks, words: [], writes: [], closed: undefined },
  };
  for (const token of shellTokens(line)) take(reading, token);
  endCommand(reading);
  endPipeline(reading, "");
  return reading.pipelines;
}

function take(reading: Reading, { type, text }: ShellToken): void {
  if (type === "word") reading.words.push(text);
  else if (type === "target") reading.writes.push(text);
  else if (text === "|" || text === "|&") takePipe(reading);
  else takeOperator(reading, text);
}

function takeOperator(reading: Reading, text: string): void {
  endCommand(reading);
  const { blocks, closed } = reading;
  if (closed !== undefined && (text === "&&" || text === "||")) note(reading, closed, "isGuarded", true);
  endPipeline(reading, text);
  reading.closed = text === ")" ? blocks.close(text) : undefined;
  if (text === "(") open(reading, text);
}

function takePipe(reading: Reading): void {
  endCommand(reading);
  const { closed, commands, pipelines } = reading;
  if (closed === undefined || commands.length > 0) return;
  // Right after a block: all that it prints goes on.
  note(reading, closed, "into", pipelines.length);
  const last = pipelines.pop();
  if (last !== undefined) pipelines.push({ ...last, joint: "|" });
  reading.closed = undefined;
}

/** Notes something of the pipelines from a place on, unless it is known of them from a block inside. */
function note({ pipelines }: Reading, from: number, name: "into" | "isGuarded", known: number | true): void {
  for (let index = from; index < pipelines.length; index += 1) {
    const each = pipelines[index];
    if (each !== undefined && each[name] === undefined) pipelines[index] = { ...each, [name]: known };
  }
}

function open({ blocks, pipelines, commands }: Reading, word: string): void {
  const isSkipped = commands.length === 0 && pipelines.at(-1)?.joint === "||";
  blocks.open(word, pipelines.length, { isSkipped });
}

function endCommand(reading: Reading): void {
  const { blocks, commands, writes } = reading;
  const words = dropWhile(reading.words, isBlockWord);
  for (const word of reading.words.slice(0, reading.words.length - words.length)) {
    if (opensBlock(word)) open(reading, word);
    else reading.closed = blocks.follow(word);
  }
  if (/^(?:for|case)$/.test(words[0] ?? "")) open(reading, words[0] ?? "");
  if (words.length > 0) {
    commands.push({ words, writes });
    reading.closed = undefined;
  } else if (reading.closed !== undefined && writes.length > 0) writeAll(reading, reading.closed);
  reading.words = [];
  reading.writes = [];
}

/** Blocks inside each other may each write to a file; of one command so many are noted. */
const mostWrites = 20;

/** Notes where all commands of a block write to, as in `(make; ls) > out.log`. */
function writeAll({ pipelines, writes }: Reading, from: number): void {
  for (let index = from; index < pipelines.length; index += 1) {
    const each = pipelines[index];
    if (each === undefined || each.commands.some((command) => command.writes.length > mostWrites)) continue;
    const commands = each.commands.map((command) => ({ ...command, writes: [...command.writes, ...writes] }));
    pipelines[index] = { ...each, commands };
  }
}

function endPipeline({ pipelines, commands, blocks }: Reading, joint: string): void {
  const last = pipelines.at(-1);
  const place = blocks.place();
  const mayBeSkipped = place.mayBeSkipped || last?.joint === "||";
  if (commands.length > 0) pipelines.push({ ...place, commands: [...commands], joint, mayBeSkipped });
  // `make; done` and `(make) && x` put nothing between two operators: the joint that counts is the later one.
  else if (last !== undefined && joint !== "" && /^[)\n;]$/.test(last.joint))
    pipelines.splice(-1, 1, { ...last, joint });
  commands.length = 0;
}

/** Returns the words from the first one on that is kept. */
export function dropWhile(words: readonly string[], isDropped: (word: string) => boolean): readonly string[] {
  const kept = words.findIndex((word) => !isDropped(word));
  return kept < 0 ? [] : words.slice(kept);
}
