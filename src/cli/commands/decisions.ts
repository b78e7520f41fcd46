import { findDecisions, findDecisionsElsewhere } from "../../handover/find-decisions.ts";
import { openProjectHandover } from "../../handover/project-handover.ts";
import { locateHandoverHere } from "../../workspace/choose-handover-place.ts";
import { writeHere } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption, parseCount } from "../define-command.ts";
import { parseDecisionType } from "../handover/parse-decision-type.ts";
import { renderDecision, toDecisionsJson } from "../handover/render-decisions.ts";
import { openOutput } from "../paged-output.ts";

/** Appends lost decisions again, and says which. */
async function sayRestored(
  context: CommandContext,
  { json }: { readonly json?: true | undefined },
): Promise<void> {
  await writeHere(context, async (here) => {
    const restored = await (await openProjectHandover(here)).restoreDecisions();
    if (json) return context.out(`${renderJson({ restored })}\n`);
    if (restored.length === 0) return context.err("None of those that were written here is gone.\n");
    context.out(restored.map((seq) => `D${seq}\n`).join(""));
  });
}

export const command = defineCommand({
  details:
    "Reads decisions.md, in its order. What another hand wrote into it is shown as it stands there. " +
    "What was decided on other machines and came with `carryon pull` follows, with their names: each has numbers of its own.",
  examples: [
    { line: "carryon decisions --last 5", does: "What was decided last" },
    { line: "carryon decisions --type user-decision --grep sqlite", does: "Find one" },
    {
      line: "carryon decisions --restore",
      does: "Append those again that the log has and the document lost",
    },
    { line: "carryon decisions --json | jq '.decisions[].summary'", does: "For a script" },
  ],
  define: (command) =>
    command
      .option("--last <n>", "Only the newest n", parseCount)
      .option("--type <type>", "Only this type", parseDecisionType)
      .option("--grep <text>", "Only those that hold this text, in whatever case")
      .option("--restore", "Append those again that were written here and are gone")
      .option("--no-pager", "Do not page")
      .addOption(jsonOption()),
  run: async (context, _args, { json, pager, restore, ...query }) => {
    if (restore) return sayRestored(context, { json });
    const found = await findDecisions(await locateHandoverHere(context), query);
    const elsewhere = await findDecisionsElsewhere(context, query);
    if (json) return context.out(`${renderJson(toDecisionsJson(found, elsewhere))}\n`);
    if (found.length + elsewhere.length === 0) return context.err("No decisions were found.\n");
    const output = openOutput(context, { pager });
    const rendered = [
      ...found.map((each) => renderDecision(each, context.style)),
      ...elsewhere.map((each) => renderDecision(each, context.style, each.machine)),
    ];
    await output.write(rendered.join("\n"));
    await output.end();
  },
});
