import { Argument } from "@commander-js/extra-typings";
import { parseDuration } from "../../lib/duration.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption } from "../parse-options.ts";
import { runSync } from "../sync/run-sync.ts";

export const command = defineCommand({
  details:
    "Reads the history that a client keeps, which Claude Code deletes after 30 days, and adds it to the store of this machine. " +
    "Only what is new is read; importing twice adds nothing.",
  examples: [
    { line: "carryon import claude-code", does: "Take in everything that Claude Code has kept" },
    { line: "carryon import claude-code --project .", does: "Only the sessions of this project" },
    { line: "carryon import claude-code --since 7d", does: "Only sessions of the last week" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("<client>", "Whose history").choices(["claude-code"] as const))
      .option("--since <age>", "Only sessions that changed in this time, such as 12h or 30d", parseDuration)
      .option("--project <folder>", "Only sessions of the project of this folder")
      .addOption(jsonOption()),
  run: (context, _args, options) => runSync(context, options),
});
