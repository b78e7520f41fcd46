import { Command, type CommandUnknownOpts, Option, type OptionValues } from "@commander-js/extra-typings";
import { type AppError, usageError } from "../lib/app-error.ts";
import type { CommandContext } from "./command-context.ts";

/** A command line that a person could type, and what it does. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** What a command says of itself; its summary is in the command table, where the list of commands needs it. */
export interface CommandSpec<Args extends unknown[], Options extends OptionValues> {
  /** What help tells beyond the summary. */
  readonly details?: string;
  readonly examples: readonly Example[];
  /** Adds arguments and options. */
  readonly define: (command: Command) => Command<Args, Options>;
  readonly run: (context: CommandContext, args: Args, options: Options) => Promise<void>;
}

/** A command as its module exports it, under the name `command`. */
export interface CliCommand {
  readonly details: string | undefined;
  readonly examples: readonly Example[];
  /** Makes the parser of the command; `context` is what it runs with, and help does without. */
  build(name: string, context?: CommandContext): CommandUnknownOpts;
}

/** Makes a command from its spec; the types of arguments and options follow from `define`. */
export function defineCommand<Args extends unknown[], Options extends OptionValues>(
  spec: CommandSpec<Args, Options>,
): CliCommand {
  return {
    details: spec.details,
    examples: spec.examples,
    build: (name, context) => {
      const command = spec.define(new Command(name));
      if (context !== undefined) {
        command.action(() => spec.run(context, command.processedArgs, command.opts()));
      }
      return command as unknown as CommandUnknownOpts;
    },
  };
}

const largest = 1_000_000_000;

/** Reads a whole number from 1 on. */
export function parseCount(text: string): number {
  return parseUpTo(largest, text);
}

/** Makes what reads a whole number from 1 to the greatest that is possible. */
export function countUpTo(most: number): (text: string) => number {
  return (text) => parseUpTo(most, text);
}

function parseUpTo(most: number, text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1) throw badNumber(text, "a whole number from 1 on", "Use 1, 2, 3 …");
  if (count > most) throw badNumber(text, `a number from 1 to ${most}`, `At most ${most} is possible.`);
  return count;
}

/** Reads a place in a session: a number from 1 on, or a negative one that counts from the end. */
export function parsePlace(text: string): number {
  const place = /^-?\d{1,10}$/.test(text) ? Number(text) : 0;
  if (place === 0 || Math.abs(place) > largest) {
    throw badNumber(text, "the number of an entry", "Use 1, 2, 3 …, or -20 for the 20th from the end.");
  }
  return place;
}

/** Reads a number of seconds; 0 turns something off. */
export function parseSeconds(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  // A timer of Node cannot wait for longer than 24 days.
  if (seconds >= 0 && seconds <= longestTimer) return seconds;
  throw badNumber(text, `a number of seconds from 0 to ${longestTimer}`, "Use 0 for never, or 300.");
}

const longestTimer = 2_000_000;

/** Reads an amount of dollars. */
export function parseDollars(text: string): number {
  const dollars = /^\$?\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text.replace("$", "")) : 0;
  if (dollars > 0) return dollars;
  throw badNumber(text, "an amount of dollars", "Use 5 or 0.50.");
}

function badNumber(text: string, what: string, hint: string): AppError {
  return usageError("bad-number", `${JSON.stringify(text.slice(0, 40))} is not ${what}.`, { hint });
}

/** Makes the option that every command has whose answer a script may want. */
export const jsonOption = () => new Option("--json", "Answer in JSON, as docs/formats/cli-json.md says");
export const projectOption = () =>
  new Option("--project <name>", "Only sessions of this project, by name or id").conflicts("all");
export const allOption = () => new Option("--all", "Sessions of all projects");
export const clientChoice = () =>
  new Option("--client <name>", "Which client")
    .choices(["claude-code"] as const)
    .default("claude-code" as const);
export const scopeOption = () =>
  new Option("--scope <scope>", "This project, or all projects of this user")
    .choices(["project", "user"] as const)
    .default("project" as const);
export const yesOption = () => new Option("--yes", "Do not ask");

/** What help says of an argument that `findSession` resolves. */
export const sessionHelp = "An id, the beginning of one, a title, or `latest`";

/** What help says of an argument that `findSide` resolves. */
export const sideHelp =
  "A session (an id, the beginning of one, a title or `latest`), `ID:STRAND`, or `ID@N`: the path that ends with entry N";

/** Gathers the values of an option that may be repeated. */
export function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}
