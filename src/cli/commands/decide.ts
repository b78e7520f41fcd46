import { Argument } from "@commander-js/extra-typings";
import { decisionTypes, toDecisionText } from "../../handover/decision.ts";
import { openProjectHandover } from "../../handover/project-handover.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { writeHere } from "../../workspace/open-here.ts";
import { renderJson } from "../command-context.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { parseDecisionType } from "../handover/parse-decision-type.ts";
import { toDecisionJson } from "../handover/render-decisions.ts";

export const command = defineCommand({
  details:
    "The decision gets the next number of decisions.md, which is only ever added to, and its hash is kept in the log. " +
    `Types: ${decisionTypes.join(", ")}.`,
  examples: [
    {
      line:
        'carryon decide user-decision "Use SQLite" --context "choosing a store" \\\n' +
        '      --decision "SQLite by default" --reason "nothing to set up" --impact none',
      does: "Write a decision down; answers with its number",
    },
    {
      line:
        'carryon decide steering-exception "No tests yet" --context deadline \\\n' +
        '      --decision "skip them" --reason "gone on Friday" --impact none \\\n' +
        "      --steering-ref steering/tech.md",
      does: "An exception names what it departs from",
    },
  ],
  define: (command) =>
    command
      .addArgument(
        new Argument("<type>", "What kind of decision, in whatever case").argParser(parseDecisionType),
      )
      .argument("<summary>", "The decision in a few words")
      .option("--context <text>", "What led to it")
      .option("--decision <text>", "What was decided")
      .option("--reason <text>", "Why")
      .option("--impact <text>", "What follows from it")
      .option("--source <text>", "Who or what decided", "user")
      .option("--steering-ref <text>", "The steering document that a STEERING_EXCEPTION departs from")
      .addOption(jsonOption()),
  run: async (context, [type, summary], { json, ...fields }) => {
    const draft = { type, summary, ...fields };
    // Before a store is made for it.
    toDecisionText(draft);
    await writeHere(context, async (here) => {
      const handover = await openProjectHandover(here);
      const decision = await handover.decide(draft);
      if (json) return context.out(`${renderJson({ decision: toDecisionJson(decision) })}\n`);
      context.out(`D${decision.seq}\n`);
      context.err(`Written to ${toPrintableLine(handover.paths.decisions)}\n`);
    });
  },
});
