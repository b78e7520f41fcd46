import { rm } from "node:fs/promises";
import { briefGiven } from "../../lib/brief-given.ts";
import { readBriefHere } from "../../lifecycle/make-brief.ts";
import { chooseFolder } from "../../lifecycle/plan-resume.ts";
import { environmentOf, type ResumeCommand, renderResume } from "../../lifecycle/resume-command.ts";
import { writeBriefFile } from "../../workspace/brief-files.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { findHere, readHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";

/**
 * Starts the client in a new session that is given the brief, or prints how.
 *
 * The brief goes through a file that only this user can read: an argument would be seen in the list of processes. What
 * is printed may be run later, so that its file stays until it is swept by its age.
 */
export async function startWithBrief(
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

interface BriefCommand extends ResumeCommand {
  /** The file with the brief. */
  readonly file: string;
}

async function planWithBrief(context: CommandContext, id: string | undefined): Promise<BriefCommand> {
  const place = id === undefined ? { cwd: context.cwd } : await findPlace(context, id);
  const there: CommandContext = Object.create(context, { cwd: { value: place.cwd } });
  const { text } = await readBriefHere(there, { session: place.session });
  const file = await writeBriefFile(locateHome(context.env, context.userHome), text, context);
  return {
    ...{ cwd: place.cwd, program: "claude", args: ["--append-system-prompt-file", file], file },
    env: { [briefGiven.name]: briefGiven.value },
  };
}

interface Place {
  readonly cwd: string;
  /** The session whose own draft is told, where several are at work. */
  readonly session?: string;
}

async function findPlace(context: CommandContext, id: string): Promise<Place> {
  return readHere(context, async (here) => {
    const session = await findHere(context, here, id);
    const place = { project: here.project?.id, root: here.root };
    const cwd = await chooseFolder(here.store.log, session, place);
    return { cwd, session: session.id };
  });
}
