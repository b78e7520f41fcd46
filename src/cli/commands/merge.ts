import { Option } from "@commander-js/extra-typings";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { parseTitle } from "../../sessions/session-events.ts";
import { writeHere } from "../../workspace/open-here.ts";
import { defineCommand } from "../define-command.ts";
import { sideHelp } from "../diff/find-side.ts";
import { chooseSources } from "../merge/choose-sources.ts";
import { mergeHere } from "../merge/merge-here.ts";
import { reportMerge } from "../merge/report-merge.ts";
import { jsonOption, sessionHelp } from "../parse-options.ts";

export const command = defineCommand({
  details:
    "Appends to the first session what it lacks of the second, as a block that says where it comes from, and prints its id. " +
    "Nothing of either is changed or lost; done again it adds only what is new. What both say differently (files that both " +
    "changed, decisions, titles, tags) is listed, and noted in the block. With --title a fork of the first receives instead; " +
    "with --into another session receives what it lacks of both.",
  examples: [
    {
      line: "carryon merge session-20261115-143022 session-20261116-091244",
      does: "Bring the second into the first",
    },
    {
      line: 'carryon merge latest other --title "Both ways"',
      does: "Leave both as they are: a fork of the first receives",
    },
    {
      line: "carryon merge latest --paths",
      does: "Join the path that two clients in one session have split off",
    },
    { line: "carryon merge latest other --dry-run", does: "See how much it would be, and what differs" },
  ],
  define: (command) =>
    command
      .argument("<id>", sessionHelp)
      .argument("[other]", sideHelp)
      .option("--into <session>", "The session that receives what it lacks of both")
      .addOption(
        new Option("--title <title>", "Merge into a fork of the first, with this title").conflicts("into"),
      )
      .option("--paths", "Join the side path of the session to the path of its last entry")
      .option("--dry-run", "Say what would be done, and do nothing")
      .addOption(jsonOption()),
  run: async (context, [id, other], { into, title, paths = false, dryRun = false, json = false }) => {
    await catchUp(context);
    const called = title === undefined ? undefined : parseTitle(title);
    return writeHere(context, async (here) => {
      const chosen = await chooseSources(context, here, { id, other, into, paths });
      reportMerge(context, await mergeHere(context, here, { ...chosen, title: called, dryRun }), {
        json,
        dryRun,
      });
    });
  },
});
