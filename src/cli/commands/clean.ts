import { listAll } from "../../conversation/list-all.ts";
import { pinnedTag } from "../../conversation/session-events.ts";
import { parseDuration } from "../../lib/duration.ts";
import { formatBytes } from "../../lib/format-bytes.ts";
import { chooseProject } from "../choose-project.ts";
import { askConsent } from "../consent.ts";
import { defineCommand } from "../define-command.ts";
import { deleteSessions } from "../delete-sessions.ts";
import { writeHere } from "../open-here.ts";
import { allOption, projectOption, yesOption } from "../parse-options.ts";
import { plural } from "../plural.ts";
import { renderSessions } from "../session-table.ts";
import { warnOfLosses } from "../share/warn-of-losses.ts";
import { readTableIds } from "../short-ids.ts";

export const command = defineCommand({
  details:
    "Lists what it would delete, and asks; a script has to say --yes. Sessions tagged `pinned` and those that a process writes stay, and so do those that the store got after one that began in this time, although their clock said otherwise.",
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
  run: (context, _args, { olderThan = parseDuration("30d"), dryRun, yes, ...choice }) =>
    writeHere(context, async (here) => {
      const scope = await chooseProject(here, choice);
      const now = context.clock.now();
      const updatedBefore = new Date(now.getTime() - olderThan);
      const found = scope === "nothing" ? [] : listAll(here.store.log, { ...scope, updatedBefore, now });
      const old = (await Array.fromAsync(found)).filter(
        ({ tags, writer }) => !tags.includes(pinnedTag) && writer === null,
      );
      if (old.length === 0) return context.err("There is nothing to clean.\n");
      const shortId = await readTableIds(context, here.store.log, old);
      context.out(renderSessions(old, context, { withProject: choice.all === true, shortId }));
      await warnOfLosses(context, here, old);
      if (dryRun) return context.err(`${plural(old.length, "session")} would be deleted.\n`);
      const question = `Delete ${old.length === 1 ? "this session" : `these ${old.length} sessions`} for good?`;
      if (!(await askConsent(context, { yes: yes === true, question, otherwise: "Nothing was deleted." })))
        return;
      await deleteSessions(context, here.store.log, old);
      const freed = await here.store.compact();
      if (freed > 0) context.err(`${formatBytes(freed)} were given back to the disk.\n`);
    }),
});
