import { toPrintableLine } from "../../lib/printable.ts";
import { makeEntryId } from "../../sessions/ids.ts";
import { nextMoment, parseTitle, titled } from "../../sessions/session-events.ts";
import { findHere, writeHere } from "../../workspace/open-here.ts";
import { defineCommand, sessionHelp } from "../define-command.ts";

export const command = defineCommand({
  details: "The title becomes an entry of the session; nothing that was recorded changes.",
  examples: [
    { line: 'carryon rename latest "Fix the login"', does: "Name the newest session of this project" },
    { line: 'carryon rename session-20261115-143022 "Try two"', does: "The beginning of an id is enough" },
  ],
  define: (command) => command.argument("<id>", sessionHelp).argument("<title>", "The new title"),
  run: (context, [id, text]) =>
    writeHere(context, async (here) => {
      const title = parseTitle(text);
      const session = await findHere(context, here, id);
      const now = context.clock.now();
      const event = titled(makeEntryId(now, context.random), nextMoment(now, session.updatedAt), title);
      await here.store.log.append(session.id, [event]);
      context.err(`Renamed to “${toPrintableLine(title)}”: ${session.id}\n`);
    }),
});
