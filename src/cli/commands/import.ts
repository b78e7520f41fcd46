import { Argument } from "@commander-js/extra-typings";
import { type AppError, usageError } from "../../lib/app-error.ts";
import { parseDuration } from "../../lib/duration.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { runImport } from "../formats/run-import.ts";
import { runSync } from "../sync/run-sync.ts";

const clientNames = ["claude-code"] as const;

/** A file of the same name as a client is reached by its path. */
function sourceArgument() {
  const argument = new Argument(
    "<source>",
    "A file, a folder of files, - for standard input, or claude-code",
  );
  // Offered where the shell completes, but not all that may stand there.
  argument.argChoices = [...clientNames];
  return argument;
}

export const command = defineCommand({
  details:
    "From a client: reads the history that it keeps, which Claude Code deletes after 30 days, and adds it to the store of this machine; only what is new is read. " +
    "From a file: what `carryon export` wrote, encrypted or not; its hashes are checked, and nothing is imported of a file with a single bad line. " +
    "A session that is longer there goes on here; one that went another way becomes a fork beside the one here. " +
    "Importing twice adds nothing.",
  examples: [
    { line: "carryon import claude-code", does: "Take in everything that Claude Code has kept" },
    {
      line: "carryon import claude-code --project . --since 7d",
      does: "Only this project, of the last week",
    },
    { line: "carryon import project.jsonl", does: "Take in what was exported on another machine" },
    { line: "carryon import .claude-master/sessions", does: "Take in every session of a folder" },
  ],
  define: (command) =>
    command
      .addArgument(sourceArgument())
      .option(
        "--since <age>",
        "Of a client: only sessions that changed in this time, such as 12h or 30d",
        parseDuration,
      )
      .option("--project <folder>", "Of a client: only sessions of the project of this folder")
      .option("--partial", "Of a bad file: keep the whole lines before the bad one")
      .option("--passphrase-file <file>", "Take the passphrase from the first line of this file")
      .addOption(jsonOption()),
  run: async (context, [source], { partial, passphraseFile, ...options }) => {
    if (source === "claude-code") {
      if (partial || passphraseFile !== undefined) throw onlyFor("a file", "--partial and --passphrase-file");
      return runSync(context, options);
    }
    if (options.since !== undefined || options.project !== undefined)
      throw onlyFor("a client", "--since and --project");
    return runImport(context, source, { partial, passphraseFile, json: options.json });
  },
});

function onlyFor(what: string, options: string): AppError {
  return usageError("conflicting-option", `${options} are for the import of ${what}.`);
}
