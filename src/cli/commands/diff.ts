import { Option } from "@commander-js/extra-typings";
import { parseStrand } from "../../sessions/ids.ts";
import { defineCommand, jsonOption, sideHelp } from "../define-command.ts";
import { showDiff } from "../diff/show-diff.ts";

export const command = defineCommand({
  details:
    "Shows what two sessions share, then side by side what each did: messages, tool calls, and a table of files, decisions, " +
    "tokens and time. Forks are compared from where they part, other sessions by what they say. One session is compared with " +
    "the one that it was forked from, or replays. From 100 columns on the sides stand beside each other. Long texts are folded; --full " +
    "shows all of them.",
  examples: [
    { line: "carryon diff latest", does: "What a fork did, beside what the session it comes from did since" },
    {
      line: "carryon diff latest:instructor latest:worker",
      does: "Two strands of one session, or two sessions",
    },
    { line: "carryon diff latest --paths", does: "The paths that two clients or a rewind left in a session" },
    { line: "carryon diff latest --html diff.html", does: "One file to share, that needs nothing else" },
  ],
  define: (command) =>
    command
      .argument("<id>", sideHelp)
      .argument("[other]", "What to compare it with; by default what it was forked from, or replays")
      .option("--strand <name>", "Only this strand of both", parseStrand)
      .option("--paths", "Compare the path of the last entry with the newest side path")
      .option("--full", "Fold nothing")
      .option("--no-pager", "Do not page")
      .addOption(
        new Option("--html [file]", "Write a page to a file, or to standard output").conflicts("json"),
      )
      .addOption(jsonOption()),
  run: (context, [left, right], { json = false, paths = false, strand, ...rest }) =>
    showDiff(context, { ...rest, left, right, strand, paths, json }),
});
