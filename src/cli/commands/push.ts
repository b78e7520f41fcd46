import { defineCommand } from "../define-command.ts";
import { allOption, jsonOption, projectOption } from "../parse-options.ts";
import { pushHere } from "../share/exchange-here.ts";
import { sayExchange } from "../share/say-exchange.ts";
import { readShareChoice } from "../share/share-choice.ts";

export const command = defineCommand({
  details:
    "Compares the sessions of this project with those of another store and sends what is missing there, with its hashes; nothing is sent twice, and after an interruption the next push goes on. A session that went on in both becomes two: the one that arrives second is a fork named after its machine. What was deleted here is deleted there, unless it went on there since. STORE is postgres://user@host/database or the home folder of another store; without it, the `remote` of config.yaml.",
  examples: [
    {
      line: "carryon push postgres://ada@db.example.com/team",
      does: "Share the sessions of this project with a team",
    },
    { line: "carryon push", does: "To the `remote` of config.yaml" },
    {
      line: "carryon push ../usb/carryon latest",
      does: "Only the newest session, to the store of another home folder",
    },
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
    sayExchange(context, "Pushed to", choice, await pushHere(context, choice));
  },
});
