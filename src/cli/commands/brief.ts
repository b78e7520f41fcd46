import { isUnderAgent } from "../../gates/is-under-agent.ts";

import { usageError } from "../../lib/app-error.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { makeBrief } from "../../lifecycle/make-brief.ts";
import { usualBudget } from "../../memory/read-brief.ts";
import type { Brief } from "../../memory/render-brief.ts";
import { renderBriefPage } from "../../memory/render-brief-page.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption, parseCount } from "../define-command.ts";

/** Less has no room for the frame and the names of the parts. */
const leastBudget = 400;

export const command = defineCommand({
  details:
    "What the next session must know: the next action, what has changed in the repository since, warnings, decisions, open " +
    "reviews and lessons, most important first and with their ages: a page on a terminal, elsewhere quoted in a fence for an agent. What others wrote is left out until " +
    "you trust the project. Nothing is written, unless an agent says which session begins.",
  examples: [
    { line: "carryon brief", does: "What the next session is told" },
    { line: "carryon brief | claude -p", does: "Begin a session with it" },
    { line: "carryon brief --budget 500", does: "Only the most important" },
    {
      line: 'carryon brief --session "$CLAUDE_CODE_SESSION_ID"',
      does: "From within an agent; decisions.md says once that its session began",
    },
  ],
  define: (command) =>
    command
      .option("--budget <tokens>", `At most so many tokens (default: ${usualBudget})`, parseCount)
      .option("--session <id>", "The agent's session that begins or goes on with it")
      .addOption(jsonOption()),
  run: async (context, _args, { budget, session, json }) => {
    if (budget !== undefined && budget < leastBudget)
      throw usageError("bad-budget", `A brief does not fit into ${budget} tokens.`, {
        hint: `Give it ${leastBudget} or more.`,
      });
    await catchUp(context);
    await makeBrief(context, { budget, session }, (brief) => {
      const { text, parts, tokens } = brief;
      if (json === undefined) return context.out(isPage(context, session) ? toPage(context, brief) : text);
      const shown = parts.map(({ name, text, at }) => ({ name, text, at: at ?? null }));
      context.out(`${renderJson({ parts: shown, tokens })}\n`);
    });
  },
});

/** A person reads it at a terminal; an agent, a pipe and the start of a session need the quoted form. */
function isPage(context: CommandContext, session: string | undefined): boolean {
  return context.isTerminal.output && session === undefined && !isUnderAgent(context);
}

function toPage(context: CommandContext, brief: Brief): string {
  return renderBriefPage(brief, context, context.clock.now());
}
