import { locateClient } from "../../clients/claude-code/locate.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { planResume, type ResumeCommand } from "../../project/plan-resume.ts";
import { chooseSession } from "../choose-session.ts";
import { defineCommand } from "../define-command.ts";
import { findHere, readHere } from "../open-here.ts";
import { sessionHelp } from "../parse-options.ts";
import { catchUp } from "../sync/catch-up.ts";

export const command = defineCommand({
  details:
    "Starts Claude Code in the folder of the session. In a pipe, or with --print, the command is printed and not run.",
  examples: [
    { line: "carryon resume", does: "Choose one of the newest sessions of this project" },
    { line: "carryon resume latest", does: "Go on where you stopped" },
    { line: "carryon resume 1feeca77 --print", does: "See how Claude Code would be started" },
  ],
  define: (command) =>
    command
      .argument("[id]", `${sessionHelp}; asks on a terminal, else the newest of Claude Code`)
      .option("--print", "Print the command, do not run it"),
  run: async (context, [id], { print }) => {
    await catchUp(context);
    const plan = await readHere(context, async (here) => {
      const session =
        id === undefined ? await chooseSession(context, here) : await findHere(context, here, id);
      if (session === undefined) return undefined;
      const client = locateClient(context.userHome, context.env.CLAUDE_CONFIG_DIR);
      return planResume(session, { client, project: here.project?.id, root: here.root });
    });
    if (plan === undefined) return context.err("Nothing was started.\n");
    if (plan.caution !== undefined) context.err(`${toPrintableLine(plan.caution)}\n`);
    if (print || !(context.isTerminal.input && context.isTerminal.output)) {
      return context.out(`${renderCommand(plan)}\n`);
    }
    await context.start(plan);
  },
});

function renderCommand({ cwd, program, args }: ResumeCommand): string {
  return `cd ${renderShellWord(cwd)} && ${[program, ...args].map(renderShellWord).join(" ")}`;
}
