import { Option } from "@commander-js/extra-typings";
import { exportFormats } from "../../formats/export-sessions.ts";
import { defineCommand, projectOption, sessionHelp } from "../define-command.ts";
import { exportToFile } from "../formats/export-to-file.ts";

export const command = defineCommand({
  details:
    "The format is that of the name of the file (.jsonl, .json, .md, .html, .sexp), else carryon, which carries every entry with its hash. " +
    "md and html are for reading; all others come back with `carryon import`. " +
    "Without an id, all sessions of this project. The file appears whole or not at all, readable by you alone. " +
    "A name that ends in .age, or --encrypt, encrypts it with a passphrase, so that `age -d` opens it too. " +
    "What was recorded is exported as it is stored: without the secrets that were found in it.",
  examples: [
    { line: "carryon export latest --output talk.html", does: "A page to read in any browser" },
    {
      line: "carryon export --output project.jsonl",
      does: "All sessions of this project, for another machine",
    },
    {
      line: "carryon export latest --encrypt --output talk.jsonl.age",
      does: "Only for who knows the passphrase",
    },
    { line: "carryon export latest --format json | jq '.sessions[0].head'", does: "For a script" },
  ],
  define: (command) =>
    command
      .argument("[id...]", sessionHelp)
      .addOption(new Option("--format <format>", "How it is written").choices(exportFormats))
      .option("--output <file>", "Where it goes; standard output without it")
      .option("--force", "Replace the file if it is there already")
      .option("--encrypt", "Encrypt it with a passphrase, in the format of age")
      .option("--passphrase-file <file>", "Take the passphrase from the first line of this file")
      .addOption(projectOption())
      .addOption(
        new Option(
          "--all",
          "Sessions of all projects; of named ones in the format sexp, also what came before a reset",
        ),
      ),
  run: (context, [ids], options) => exportToFile(context, { ids, ...options }),
});
