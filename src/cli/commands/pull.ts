import { defineCommand } from "../define-command.ts";
import { allOption, jsonOption, projectOption } from "../parse-options.ts";
import { pullHere } from "../share/exchange-here.ts";
import { sayExchange } from "../share/say-exchange.ts";
import { readShareChoice } from "../share/share-choice.ts";

export const command = defineCommand({
  details:
    "Compares the sessions that another store has of this project with those here and takes what is missing, with its hashes; nothing is taken twice, and after an interruption the next pull goes on. A session that went on in both becomes two: the one that arrives second is a fork named after its machine. What was deleted there is deleted here, unless it went on here since. STORE is postgres://user@host/database or the home folder of another store; without it, the `remote` of config.yaml.",
  examples: [
    { line: "carryon pull postgres://ada@db.example.com/team", does: "Take what others did in this project" },
    { line: "carryon pull", does: "From the `remote` of config.yaml" },
    { line: "carryon pull --all", does: "What it has of all projects" },
  ],
  define: (command) =>
    command
      .argument(
        "[store-and-ids...]",
        "A store, if it is not the configured one; then sessions, if not all of this project",
      )
      .addOption(projectOption())
      .addOption(allOption())
      .addOption(jsonOption()),
  run: async (context, [words], options) => {
    const choice = readShareChoice(words, options);
    sayExchange(context, "Pulled from", choice, await pullHere(context, choice));
  },
});
