import { Option } from "@commander-js/extra-typings";
import { readDatedDecisions } from "../../handover/dated-decisions.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { compareSessions } from "../../sessions/compare-sessions.ts";
import { parseStrand } from "../../sessions/ids.ts";
import { readHere } from "../../workspace/open-here.ts";
import { defineCommand } from "../define-command.ts";
import { chooseSides } from "../diff/choose-sides.ts";
import { sideHelp } from "../diff/find-side.ts";
import { writeDiffHtml } from "../diff/html/write-diff-html.ts";
import { writeDiff } from "../diff/write-diff.ts";
import { writeDiffJson } from "../diff/write-diff-json.ts";
import { openOutput } from "../paged-output.ts";
import { jsonOption } from "../parse-options.ts";

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
  run: async (context, [id, other], { json, html, pager, full = false, paths = false, strand }) => {
    await catchUp(context);
    return readHere(context, async (here) => {
      const { log } = here.store;
      const sides = await chooseSides(context, here, { left: id, right: other, strand, paths });
      const decisions = await readDatedDecisions(
        log,
        sides.map(({ session }) => session),
      );
      const textLimit = full ? { textLimit: Number.POSITIVE_INFINITY } : {};
      const diff = await compareSessions(log, ...sides, { decisions, ...textLimit });
      if (html !== undefined) return writeDiffHtml(context, diff, html === true ? undefined : html);
      const output = openOutput(context, { pager: pager && !json });
      const { columns: width = Number.POSITIVE_INFINITY, style, machine } = context;
      const view = { width, style, machine, full };
      await (json ? writeDiffJson(output, diff) : writeDiff(output, diff, view));
      await output.end();
    });
  },
});
