import { Option } from "@commander-js/extra-typings";
import { exportFormats, exportSessions, singleFormats } from "../../formats/export-sessions.ts";
import { formatOfFile, isNamedEncrypted } from "../../formats/format-of-file.ts";
import { importLimits } from "../../formats/limits.ts";
import { AppError } from "../../lib/app-error.ts";
import { formatBytes } from "../../lib/format-bytes.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { readHere } from "../../workspace/open-here.ts";
import { defineCommand } from "../define-command.ts";
import { chooseSessions } from "../formats/choose-sessions.ts";
import { readPassphrase } from "../formats/read-passphrase.ts";
import { checkDestination, writeExport } from "../formats/write-export.ts";
import { projectOption, sessionHelp } from "../parse-options.ts";

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
  run: async (context, [ids], options) => {
    const { output: file, force, encrypt, passphraseFile, project, all } = options;
    const format = options.format ?? formatOfFile(file ?? "");
    const encrypts = encrypt === true || isNamedEncrypted(file);
    const overwrite = force === true;
    await checkDestination(context, { file, overwrite, isReadable: format === "md" && !encrypts });
    await catchUp(context);
    await readHere(context, async (here) => {
      const sessions = await chooseSessions(context, here, ids, { project, all });
      if (singleFormats.has(format) && sessions.length > 1) throw tooMany(format, sessions.length);
      const passphrase = encrypts ? await readPassphrase(context, passphraseFile, "encrypt") : undefined;
      const stretch = all && ids.length > 0 ? "all" : "after-reset";
      const request = {
        format,
        sessions,
        machine: context.machine,
        now: context.clock.now(),
        stretch,
        onTooLong: (session: string, seq: number) =>
          context.warn(
            `Entry ${seq} of ${session} is longer than ${formatBytes(importLimits.lineBytes)}: \`carryon import\` refuses it. The format json takes it.`,
          ),
      } as const;
      await writeExport(context, exportSessions(here.store, request), { file, overwrite, passphrase });
      if (file !== undefined)
        context.err(`Exported ${plural(sessions.length, "session")} to ${toPrintableLine(file)}\n`);
    });
  },
});

function tooMany(format: string, count: number): AppError {
  return new AppError(`A file in the format ${format} holds one session, and ${count} were chosen.`, {
    kind: "usage",
    code: "one-session-only",
    hint: "Name one session, or use the format carryon.",
  });
}
