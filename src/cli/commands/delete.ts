import { plural } from "../../lib/plural.ts";
import { findToDestroy, writeHere } from "../../workspace/open-here.ts";
import { askConsent } from "../consent.ts";
import { defineCommand } from "../define-command.ts";
import { deleteSessions } from "../delete-sessions.ts";
import { sessionHelp, yesOption } from "../parse-options.ts";
import { findFilesOf, removeFiles } from "../run/remove-files.ts";
import { renderSessions } from "../session-table.ts";
import { warnOfLosses } from "../share/warn-of-losses.ts";
import { readTableIds } from "../short-ids.ts";

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
      // All are found before any is deleted, so that a mistyped id deletes nothing.
      const found = await Promise.all(ids.map((id) => findToDestroy(context, here, id)));
      const sessions = [...new Map(found.map((session) => [session.id, session])).values()];
      const shortId = await readTableIds(context, here.store.log, sessions);
      if (!yes && context.isTerminal.error) context.err(renderSessions(sessions, context, { shortId }));
      await warnOfLosses(context, here, sessions);
      const consents = await askConsent(context, {
        yes: yes === true,
        question: `Delete ${plural(sessions.length, "session")} for good?`,
        otherwise: "Nothing was deleted.",
      });
      if (!consents) return;
      const files = await findFilesOf(context, here, sessions);
      await deleteSessions(context, here.store.log, sessions);
      await removeFiles(context, files);
      // Until then what was deleted can still be found in the files of the store.
      await here.store.compact();
    }),
});
