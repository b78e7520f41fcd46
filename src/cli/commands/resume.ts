import { rm } from "node:fs/promises";
import { toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { makePlanner, type ResumePlan } from "../../lifecycle/plan-resume.ts";
import { planWithBrief } from "../../lifecycle/plan-with-brief.ts";
import { environmentOf, ownProgram, renderResume } from "../../lifecycle/resume-command.ts";
import { findHere, readHere } from "../../workspace/open-here.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import { chooseSession } from "../choose-session.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { sessionHelp } from "../parse-options.ts";

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

/** Plans to resume the session that a person names or chooses; undefined when nothing was chosen. */
async function planHere(
  context: CommandContext,
  here: OpenProject,
  id: string | undefined,
): Promise<ResumePlan | undefined> {
  const { plan, planNewest } = await makePlanner(context, here);
  const session =
    id === undefined ? await chooseSession(context, here, plan) : await findHere(context, here, id);
  if (session === undefined) return undefined;
  const asks = context.isTerminal.input && context.isTerminal.error;
  return id === "latest" || (id === undefined && !asks) ? planNewest(session) : plan(session);
}

/** Starts the client with the brief, or prints how: that may be run later, so that its file stays until it is swept by its age. */
async function startWithBrief(
  context: CommandContext,
  id: string | undefined,
  { print }: { readonly print?: true | undefined },
): Promise<void> {
  const command = await planWithBrief(context, id);
  if (print || !(context.isTerminal.input && context.isTerminal.output))
    return context.out(`${renderResume(command)}\n`);
  const { cwd, program, args } = command;
  try {
    await context.start({ cwd, program, args, env: environmentOf(command, context.env) });
  } finally {
    await rm(command.file, { force: true });
  }
}
