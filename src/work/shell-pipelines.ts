import { type ShellToken, shellTokens } from "./shell-tokens.ts";

export interface Command {
  readonly words: readonly string[];
  /** The files that it is told to read from or write to. */
  readonly writes: readonly string[];
}

/** Commands of which each reads what the one before it writes. */
export interface Pipeline {
  readonly commands: readonly Command[];
  /** What stands between it and the next one. */
  readonly joint: string;
}

/** What has been read of a line so far. */
interface Reading {
  readonly pipelines: Pipeline[];
  readonly commands: Command[];
  words: string[];
  writes: string[];
}

const reserved = new Set([
  "if",
  "then",
  "else",
  "elif",
  "fi",
  "while",
  "until",
  "do",
  "done",
  "{",
  "}",
  "esac",
]);

/** Returns the pipelines of a command line in order; brackets and the words of loops are taken off. */
export function shellPipelines(line: string): readonly Pipeline[] {
  const reading: Reading = { pipelines: [], commands: [], words: [], writes: [] };
  for (const token of shellTokens(line)) take(reading, token);
  endCommand(reading);
  endPipeline(reading, "");
  return reading.pipelines;
}

function take(reading: Reading, { type, text }: ShellToken): void {
  if (type === "word") reading.words.push(text);
  else if (type === "target") reading.writes.push(text);
  else if (text === "|" || text === "|&") takePipe(reading);
  else {
    endCommand(reading);
    endPipeline(reading, text);
  }
}

function takePipe(reading: Reading): void {
  endCommand(reading);
  // Right after a bracket: what the bracket ended with goes on.
  if (reading.commands.length === 0) reading.commands.push(...(reading.pipelines.pop()?.commands ?? []));
}

function endCommand(reading: Reading): void {
  const words = dropWhile(reading.words, (word) => reserved.has(word));
  if (words.length > 0) reading.commands.push({ words, writes: reading.writes });
  reading.words = [];
  reading.writes = [];
}

function endPipeline({ pipelines, commands }: Reading, joint: string): void {
  const last = pipelines.at(-1);
  if (commands.length > 0) pipelines.push({ commands: [...commands], joint });
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
