import { Command, type CommandUnknownOpts, type OptionValues } from "@commander-js/extra-typings";
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
