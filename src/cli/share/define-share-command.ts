import type { Option } from "@commander-js/extra-typings";
import type { CommandContext } from "../command-context.ts";
import { type CliCommand, defineCommand, type Example } from "../define-command.ts";
import { allOption, jsonOption, projectOption } from "../parse-options.ts";
import type { ExchangedHere } from "./exchange-here.ts";
import { sayExchange } from "./say-exchange.ts";
import { readShareChoice, type ShareChoice } from "./share-choice.ts";

/** What `push` and `pull` do not have in common. */
interface ShareCommand {
  readonly details: string;
  readonly examples: readonly Example[];
  readonly verb: Parameters<typeof sayExchange>[1];
  /** Options that only one of them has. */
  readonly options?: readonly Option[];
  readonly exchange: (context: CommandContext, choice: ShareChoice) => Promise<ExchangedHere>;
}

/** Makes a command that exchanges sessions with another store. */
export function defineShareCommand({
  details,
  examples,
  verb,
  options: own = [],
  exchange,
}: ShareCommand): CliCommand {
  return defineCommand({
    details: `${details} STORE is postgres://user@host/database or the home folder of another store; without it, the \`remote\` of config.yaml.`,
    examples,
    define: (command) => {
      for (const option of own) command.addOption(option);
      return command
        .argument(
          "[store-and-ids...]",
          "A store, if it is not the configured one; then sessions, if not all of this project",
        )
        .addOption(projectOption())
        .addOption(allOption())
        .addOption(jsonOption());
    },
    run: async (context, [words], options) => {
      const choice = readShareChoice(words, options);
      await sayExchange(context, verb, choice, await exchange(context, choice));
    },
  });
}
