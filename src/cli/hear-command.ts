import { CommanderError } from "@commander-js/extra-typings";
import { toPrintableLine } from "../lib/printable.ts";
import { makeStyle } from "../lib/style.ts";
import type { CommandContext } from "./command-context.ts";
import type { CliCommand } from "./define-command.ts";
import { toUsageError } from "./usage-error.ts";

/** A command that somebody else runs than a person at a prompt. */
export interface LentCommand {
  readonly name: string;
  readonly load: () => Promise<{ readonly command: CliCommand }>;
}

/** What a command said on its two outputs. */
export interface Said {
  readonly out: string;
  readonly talk: string;
}

/** What a command said, and the error that ended it where one did. */
export interface Heard extends Said {
  readonly error?: unknown;
}

/** Runs a command with words of a command line; what is wrong with them is an error like all others. */
export async function callCommand(
  context: CommandContext,
  { name, load }: LentCommand,
  words: readonly string[],
): Promise<void> {
  const { command } = await load();
  const parser = command.build(`carryon ${name}`, context);
  parser.exitOverride().configureOutput({ writeOut: context.out, writeErr: () => undefined });
  try {
    await parser.parseAsync([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toUsageError(error, { command: `carryon ${name}`, takes: "arguments" });
  }
}

/** Runs a command without a terminal and returns what it said, also where it failed. */
export async function hearCommand(
  context: CommandContext,
  command: LentCommand,
  words: readonly string[],
  own: Partial<CommandContext> = {},
): Promise<Heard> {
  const heard = listen(context, own);
  try {
    await callCommand(heard.context, command, words);
    return heard.said;
  } catch (error) {
    return { ...heard.said, error };
  }
}

/** Makes a context without a terminal that remembers what is said. It inherits, because asking for the folder may fail. */
export function listen(
  context: CommandContext,
  given: Partial<CommandContext> = {},
): { readonly said: Said; readonly context: CommandContext } {
  const said = { out: "", talk: "" };
  const plain = makeStyle({ colors: false });
  const own: Partial<CommandContext> = {
    isTerminal: { input: false, output: false, error: false },
    columns: undefined,
    rows: undefined,
    style: plain,
    errorStyle: plain,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.talk += text;
    },
    warn: (warning) => {
      said.talk += `${toPrintableLine(warning)}\n`;
    },
    drained: () => Promise.resolve(),
    ...given,
  };
  return { said, context: Object.create(context, Object.getOwnPropertyDescriptors(own)) };
}
