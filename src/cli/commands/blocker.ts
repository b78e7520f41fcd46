import { Argument, Option } from "@commander-js/extra-typings";
import { type AppError, usageError } from "../../lib/app-error.ts";
import { wrapLine, wrapTalk } from "../../lib/terminal-text.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { blockerTypes, severities } from "../../work/blocker.ts";
import type { NewBlocker } from "../../work/change-blocker.ts";
import { renderBlocker } from "../../work/render-work.ts";
import { toWireBlocker } from "../../work/render-work-state.ts";
import {
  type BlockerReport,
  type BlockerRequest,
  describeReplaced,
  describeResolved,
  tellBlocker,
} from "../../work/tell-blocker.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { parseBlockerType } from "../work/parse-blocker-type.ts";
import { workHere } from "../work/work-here.ts";

/** What was typed. */
interface BlockerWords {
  readonly what: BlockerRequest["what"];
  readonly words: readonly string[];
  /** What else is told of a new one. */
  readonly facts: Omit<NewBlocker, "type" | "description">;
  readonly json: boolean;
}

/** Shows, puts down or resolves what stops the work. */
async function sayBlocker(context: CommandContext, typed: BlockerWords): Promise<void> {
  // Before a store is made for it.
  const request = toRequest(typed);
  const report = await workHere(context, (desk) => tellBlocker(desk, request));
  say(context, typed, report);
}

function toRequest({ what, words, facts }: BlockerWords): BlockerRequest {
  if (what === "add") return { what, blocker: toBlocker(words, facts) };
  if (Object.values(facts).some((value) => value !== undefined))
    throw usage("Only `add` takes a severity, a resolution, a pattern and an origin.");
  if (what === "resolve") return { what, how: words.join(" ") };
  if (words.length > 0) throw usage("To show the blocker takes no words.");
  return { what };
}

/** No type has a space: who gives a sentence first has left the type out. */
function toBlocker(words: readonly string[], facts: BlockerWords["facts"]): NewBlocker {
  const [type = "", ...rest] = words;
  if (/\S\s+\S/.test(type)) return { type: "other", description: words.join(" "), ...facts };
  return { type: parseBlockerType(type), description: rest.join(" "), ...facts };
}

function say(context: CommandContext, { what, json }: BlockerWords, report: BlockerReport): void {
  const { blocker, replaced } = report;
  const shown = blocker && toWireBlocker(blocker);
  if (json) context.out(`${renderJson(what === "resolve" ? { resolved: shown } : { blocker: shown })}\n`);
  else if (what !== "resolve") context.out(renderBlocker(context, blocker));
  else context.out(`${wrapLine(describeResolved(blocker), context.columns)}\n`);
  if (replaced !== undefined) context.err(`${wrapTalk(context, describeReplaced(replaced))}\n`);
}

function usage(message: string): AppError {
  return usageError("bad-blocker", message, { hint: "See `carryon blocker --help`." });
}

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
