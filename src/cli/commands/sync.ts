import { defineCommand, jsonOption } from "../define-command.ts";
import { runSync } from "../sync/run-sync.ts";

export const command = defineCommand({
  details:
    "Reads what Claude Code wrote and what its hooks saw since the last time, in all projects, and adds it to the store of this machine. " +
    "Its own files are only read. Running it twice, or two at once, records nothing twice. " +
    "Projects that `remote` in config.yaml names are then pushed to that store and pulled from it; a server that is away disturbs nothing.",
  examples: [
    { line: "carryon sync", does: "Take in what is new" },
    { line: "carryon sync --json | jq .rejected", does: "See which lines could not be read" },
  ],
  define: (command) =>
    command
      .option("--recorded", "Only sessions that hooks have told of, and those in the store")
      .option("--quiet", "Say nothing, as the hooks of a client need it")
      .addOption(jsonOption()),
  run: (context, _args, choices) => runSync(context, { ...choices, remote: true }),
});
