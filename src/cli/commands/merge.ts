import { Option } from "@commander-js/extra-typings";
import { defineCommand, jsonOption, sessionHelp, sideHelp } from "../define-command.ts";
import { sayMerge } from "../say-merge.ts";

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
  run: (context, [id, other], options) => sayMerge(context, { id, other, ...options }),
});
