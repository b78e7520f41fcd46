import { toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { environmentOf, ownProgram, renderResume } from "../../lifecycle/resume-command.ts";
import { readHere } from "../../workspace/open-here.ts";
import { defineCommand } from "../define-command.ts";
import { sessionHelp } from "../parse-options.ts";
import { planHere } from "../resume/plan-here.ts";
import { startWithBrief } from "../resume/start-with-brief.ts";

export const command = defineCommand({
  details:
    "Starts Claude Code in the folder of the session, with the settings folder that it was in; a chat goes on in " +
    "`carryon chat`, a run in `carryon run`. " +
    "In a pipe, or with --print, the command is printed and not run. " +
    "`latest` is the newest session that can be resumed. With --brief a new session is started instead, which is told what " +
    "`carryon brief` tells.",
  examples: [
    { line: "carryon resume", does: "Choose one of the newest sessions of this project; type to find it" },
    { line: "carryon resume latest", does: "Go on where you stopped" },
    { line: "carryon resume --brief", does: "Begin a new session that knows what the last ones left" },
    { line: "carryon resume 1feeca77 --print", does: "See how Claude Code would be started" },
  ],
  define: (command) =>
    command
      .argument("[id]", `${sessionHelp}; asks on a terminal, else the newest`)
      .option("--brief", "Start fresh with the brief instead, in the folder of the session or in this one")
      .option("--print", "Print the command, do not run it"),
  run: async (context, [id], { brief, print }) => {
    await catchUp(context);
    if (brief) return startWithBrief(context, id, { print });
    const plan = await readHere(context, (here) => planHere(context, here, id));
    if (plan === undefined) return context.err("Nothing was started.\n");
    for (const caution of [...plan.cautions, ...plan.others]) context.err(`${toPrintableLine(caution)}\n`);
    if (print || !(context.isTerminal.input && context.isTerminal.output)) {
      return context.out(`${renderResume(plan.command)}\n`);
    }
    // The client clears the screen, and the warning with it.
    if (plan.others.length > 0 && !(await context.confirm("Start Claude Code in it all the same?")))
      return context.err("Nothing was started.\n");
    const { cwd, program, args } = plan.command;
    const [node, launcher] = context.program;
    const started = program === ownProgram ? { program: node, args: [launcher, ...args] } : { program, args };
    await context.start({ cwd, ...started, env: environmentOf(plan.command, context.env) });
  },
});
