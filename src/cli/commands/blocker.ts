import { Argument, Option } from "@commander-js/extra-typings";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { blockerTypes, severities } from "../../work/blocker.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption } from "../parse-options.ts";
import { sayBlocker } from "../work/say-blocker.ts";

export const command = defineCommand({
  details:
    "What stops the work is found by `carryon save` in what was recorded: failed builds, tests, installs and reviews. What you " +
    `put down yourself stays until you resolve it. Types: ${blockerTypes.join(", ")}; a sentence alone is of the type other.`,
  examples: [
    { line: "carryon blocker", does: "Show what stops the work" },
    {
      line: 'carryon blocker add design_issue "Two owners of one lock" \\\n      --resolution "Ask the architect"',
      does: "Put one down",
    },
    { line: 'carryon blocker add "The CI token is missing"', does: "Put one down of the type other" },
    { line: 'carryon blocker resolve "one owner now"', does: "Say that it is resolved" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[what]", "What to do").choices(["show", "add", "resolve"] as const))
      .argument(
        "[words...]",
        "With add: the type, unless it is other, and what stops the work; with resolve: how it was resolved",
      )
      .addOption(
        new Option("--severity <level>", "How heavy it is (default: by the type)").choices(severities),
      )
      .option("--resolution <text>", "What can be done about it")
      .option("--error-pattern <text>", "The text by which it is known")
      .option("--appeared-after <text>", "What was done before it appeared")
      .addOption(jsonOption()),
  run: async (context, [what = "show", words], { json = false, ...facts }) => {
    await catchUp(context);
    await sayBlocker(context, { what, words, facts, json });
  },
});
