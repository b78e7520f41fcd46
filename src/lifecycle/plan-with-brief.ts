import { briefGiven } from "../lib/hook-files.ts";
import { writeBriefFile } from "../workspace/brief-files.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { findHere, readHere } from "../workspace/open-here.ts";
import type { Caller } from "../workspace/workspace.ts";
import { readBriefHere } from "./make-brief.ts";
import { chooseFolder } from "./plan-resume.ts";
import type { ResumeCommand } from "./resume-command.ts";

/** What starts a client in a new session that is given the brief. */
export interface BriefCommand extends ResumeCommand {
  /** The file with the brief. */
  readonly file: string;
}

/**
 * Returns the command that starts the client with the brief, in the folder of a session or in the current one.
 *
 * The brief goes through a file that only this user can read: an argument would be seen in the list of processes.
 */
export async function planWithBrief(context: Caller, id: string | undefined): Promise<BriefCommand> {
  const place = id === undefined ? { cwd: context.cwd } : await findPlace(context, id);
  const there: Caller = Object.create(context, { cwd: { value: place.cwd } });
  const { text } = await readBriefHere(there, { from: place.session });
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

async function findPlace(context: Caller, id: string): Promise<Place> {
  return readHere(context, async (here) => {
    const session = await findHere(context, here, id);
    const place = { project: here.project?.id, root: here.root };
    const cwd = await chooseFolder(here.store.log, session, place);
    return { cwd, session: session.id };
  });
}
