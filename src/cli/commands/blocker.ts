import { Argument, Option } from "@commander-js/extra-typings";
import { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { addBlocker, resolveBlocker } from "../../project/work/change-blocker.ts";
import { blockerTypes, severities } from "../../work/blockers/blocker.ts";
import { toWireBlocker } from "../../work/state/render-work-state.ts";
import { readState } from "../../work/state/state-store.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption } from "../parse-options.ts";
import { renderJson } from "../render-json.ts";
import { renderBlocker } from "../work/render-work.ts";
import { parseBlockerType } from "../work/parse-blocker-type.ts";
import { workHere } from "../work/work-here.ts";

export const command = defineCommand({
  details:
    "What stops the work is found by `carryon save` in what was recorded: failed builds, tests, installs and reviews. What you " +
    `put down yourself stays until you resolve it. Types: ${blockerTypes.join(", ")}.`,
  examples: [
    { line: "carryon blocker", does: "Show what stops the work" },
    {
      line: 'carryon blocker add design_issue "Two owners of one lock" \\\n      --resolution "Ask the architect"',
      does: "Put one down",
    },
    { line: 'carryon blocker resolve "one owner now"', does: "Say that it is resolved" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[what]", "What to do").choices(["show", "add", "resolve"] as const))
      .argument("[words...]", "With add: the type, and what stops the work; with resolve: how it was resolved")
      .addOption(new Option("--severity <level>", "How heavy it is (default: by the type)").choices(severities))
      .option("--resolution <text>", "What can be done about it")
      .option("--error-pattern <text>", "The text by which it is known")
      .option("--appeared-after <text>", "What was done before it appeared")
      .addOption(jsonOption()),
  run: async (context, [what = "show", words], { json, ...options }) => {
    if (what !== "add" && Object.values(options).some((value) => value !== undefined))
      throw usage("Only `add` takes a severity, a resolution, a pattern and an origin.");
    await workHere(context, async (desk) => {
      if (what === "add") {
        const [type = "", ...rest] = words;
        const blocker = await addBlocker(desk, {
          ...{ type: parseBlockerType(type), description: rest.join(" ") },
          ...options,
        });
        return context.out(json ? `${renderJson({ blocker: toWireBlocker(blocker) })}\n` : renderBlocker(context, blocker));
      }
      if (what === "resolve") {
        const resolved = await resolveBlocker(desk, words.join(" "));
        if (json) return context.out(`${renderJson({ resolved: resolved && toWireBlocker(resolved) })}\n`);
        return context.out(
          resolved === null ? "Nothing stops the work.\n" : `Resolved: ${toPrintableLine(resolved.description)}\n`,
        );
      }
      if (words.length > 0) throw usage("To show the blocker takes no words.");
      const found = await readState(desk.site.root);
      const blocker = found.type === "state" ? found.state.blocker : null;
      return context.out(
        json ? `${renderJson({ blocker: blocker && toWireBlocker(blocker) })}\n` : renderBlocker(context, blocker),
      );
    });
  },
});

function usage(message: string): AppError {
  return new AppError(message, { kind: "usage", code: "bad-blocker", hint: "See `carryon blocker --help`." });
}
