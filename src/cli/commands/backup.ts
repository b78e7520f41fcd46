import { backUp } from "../../care/backup.ts";
import { formatBytes, plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { defineCommand } from "../define-command.ts";

export const command = defineCommand({
  details: "The file appears whole or not at all, readable by you alone.",
  examples: [
    { line: "carryon backup carryon.db", does: "Copy the store; others may go on writing" },
    { line: "carryon backup --force /mnt/usb/carryon.db", does: "Replace the copy of last week" },
  ],
  define: (command) =>
    command
      .argument("<file>", "Where the copy goes")
      .option("--force", "Replace the file if it is there already"),
  run: async (context, [file], { force }) => {
    const { path, bytes, sessions } = await backUp(context, file, { overwrite: force === true });
    context.err(
      `Backed up ${plural(sessions, "session")} (${formatBytes(bytes)}) to ${toPrintableLine(path)}\n`,
    );
  },
});
