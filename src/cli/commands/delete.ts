import { findNamed } from "../../care/delete.ts";
import { plural } from "../../lib/describe.ts";
import { readTableIds } from "../../sessions/short-ids.ts";
import { writeHere } from "../../workspace/open-here.ts";
import { defineCommand, sessionHelp, yesOption } from "../define-command.ts";
import { askToDelete, describeLosses } from "../delete-sessions.ts";
import { renderSessions } from "../session-table.ts";

export const command = defineCommand({
  details:
    "What forks of it share stays until the last of them is gone. It stays deleted: what is added to it in its client is not recorded. " +
    "It asks on a terminal; a script has to say --yes. " +
    "Others who share the project lose it too, with the next push or sync. " +
    "With a run go the files of its rounds, unless a fork needs them. " +
    "It needs as much room on the disk for a moment as it deletes.",
  examples: [
    { line: "carryon delete latest", does: "Delete the newest session of this project, after asking" },
    { line: "carryon delete session-20261115-143022 --yes", does: "Without asking" },
  ],
  define: (command) => command.argument("<id...>", sessionHelp).addOption(yesOption()),
  run: (context, [ids], { yes }) =>
    writeHere(context, async (here) => {
      const named = await findNamed(context, here, ids);
      const { sessions } = named;
      const shortId = await readTableIds(context, here.store.log, sessions);
      if (!yes && context.isTerminal.error) context.err(renderSessions(sessions, context, { shortId }));
      context.err(describeLosses(named));
      const question = `Delete ${plural(sessions.length, "session")} for good?`;
      await askToDelete(context, here, sessions, { yes: yes === true, question });
    }),
});
