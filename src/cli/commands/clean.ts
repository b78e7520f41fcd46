import { parseDuration } from "../../lib/duration.ts";
import { allOption, defineCommand, projectOption, yesOption } from "../define-command.ts";
import { cleanSessions } from "../delete-sessions.ts";

export const command = defineCommand({
  details:
    "Lists what it would delete, and asks; a script has to say --yes. Sessions tagged `pinned` and those that a process writes stay, and so do those that the store got after one that began in this time, although their clock said otherwise. " +
    "With a run go the files of its rounds, in the repository in which it has worked, unless a fork needs them.",
  examples: [
    { line: "carryon clean --dry-run", does: "See what is older than 30 days in this project" },
    { line: "carryon clean --older-than 90d --all", does: "In all projects, after asking" },
    { line: "carryon tag latest pinned", does: "Keep a session for ever" },
  ],
  define: (command) =>
    command
      .option(
        "--older-than <age>",
        "Only sessions without a change in this time (default: 30d)",
        parseDuration,
      )
      .addOption(projectOption())
      .addOption(allOption())
      .option("--dry-run", "Only list them")
      .addOption(yesOption()),
  run: (context, _args, options) => cleanSessions(context, options),
});
