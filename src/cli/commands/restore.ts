import { restore } from "../../care/backup.ts";
import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { askConsent } from "../consent.ts";
import { defineCommand, yesOption } from "../define-command.ts";

export const command = defineCommand({
  details:
    "The store as it was is kept in a file beside it. It asks when the store has sessions; a script has to say --yes. " +
    "While a process writes a session it is refused, because what that process was told is saved would be gone from the store.",
  examples: [
    { line: "carryon restore carryon.db", does: "Go back to a backup, after asking" },
    {
      line: "CARRYON_HOME=/tmp/look carryon restore carryon.db",
      does: "Look into a backup without touching your store",
    },
  ],
  define: (command) =>
    command
      .argument("<file>", "A file that `carryon backup` wrote")
      .option("--force", "Although entries of the backup are damaged, or a process writes the store")
      .addOption(yesOption()),
  run: async (context, [file], { yes, force }) => {
    const restored = await restore(context, { file, force: force === true }, (sessions) =>
      askConsent(context, {
        yes: yes === true,
        question: `Replace the store${sessions === null ? "" : ` with its ${plural(sessions, "session")}`}? It is kept in a file beside it.`,
        otherwise: "Nothing was restored.",
      }),
    );
    if (restored === undefined) return;
    context.err(`Restored ${plural(restored.sessions, "session")}.\n`);
    if (restored.kept !== null) context.err(`The store as it was is in ${toPrintableLine(restored.kept)}\n`);
  },
});
