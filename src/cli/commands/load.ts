import { Option } from "@commander-js/extra-typings";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption } from "../parse-options.ts";
import { sayCheckpoints } from "../work/say-checkpoints.ts";
import { sayLoad } from "../work/say-load.ts";
import { workHere } from "../work/work-here.ts";

export const command = defineCommand({
  details:
    "Reads .claude/session-state.json, holds it against git, openspec and the files, and says what was being done, what has " +
    "changed since, what stops the work and what comes next. On a terminal it asks what to do. With --resume it asks " +
    "nothing: it runs the approved recovery of a blocker, goes back to the branch if the work tree is clean, and prints the " +
    "next task. It never merges, rebases, stashes or pushes by itself.",
  examples: [
    { line: "carryon load", does: "Where was I?" },
    { line: "carryon load --resume", does: "Go on without a question, also from within an agent" },
    { line: "carryon load --list", does: "Which checkpoints are there? --restore ID takes one" },
    { line: "carryon load --restore", does: "Take the last checkpoint when the file is lost or broken" },
  ],
  define: (command) =>
    command
      .option("--resume", "Clear the blocker, go back to the branch, and say what comes next")
      .option(
        "--restore [id]",
        "Take the newest checkpoint of the log where the state is gone or broken, or the one with this id",
      )
      .addOption(
        new Option("--list", "List the checkpoints, the newest first").conflicts(["resume", "restore"]),
      )
      .option("--no-ask", "Ask nothing")
      .addOption(jsonOption()),
  run: async (context, _args, { resume = false, restore = false, list = false, ask, json = false }) => {
    await catchUp(context);
    await workHere(context, (desk) =>
      list ? sayCheckpoints(context, desk, { json }) : sayLoad(context, desk, { resume, restore, ask, json }),
    );
  },
});
