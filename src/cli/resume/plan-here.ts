import { locateClient } from "../../clients/claude-code/locate.ts";
import type { Session } from "../../conversation/session.ts";
import { AppError } from "../../lib/app-error.ts";
import { readClientFolders } from "../../project/client-folders.ts";
import { locateHome } from "../../project/locate-home.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { planResume, type ResumePlan } from "../../project/plan-resume.ts";
import { chooseSession } from "../choose-session.ts";
import type { CommandContext } from "../command-context.ts";
import { findHere } from "../open-here.ts";

/** Plans to resume the session that a person names or chooses; undefined when nothing was chosen. */
export async function planHere(
  context: CommandContext,
  here: OpenProject,
  id: string | undefined,
): Promise<ResumePlan | undefined> {
  const asks = context.isTerminal.input && context.isTerminal.error;
  if (id === "latest" || (id === undefined && !asks)) return planNewest(context, here, id);
  const session = id === undefined ? await choose(context, here) : await findHere(context, here, id);
  return session && plan(context, here, session);
}

function choose(context: CommandContext, here: OpenProject): Promise<Session | undefined> {
  return chooseSession(context, here, (session) => plan(context, here, session));
}

/** Older ones can be named. */
const candidates = 20;

/** Plans to resume the newest session that can be; where none can, it is told why the newest cannot. */
async function planNewest(
  context: CommandContext,
  here: OpenProject,
  id: "latest" | undefined,
): Promise<ResumePlan | undefined> {
  const newest = id === undefined ? await choose(context, here) : await findHere(context, here, id);
  if (newest === undefined) return undefined;
  const scope = here.project === undefined ? {} : { project: here.project.id };
  const page = { limit: candidates, now: context.clock.now() };
  const { sessions } = await here.store.log.list({ client: "claude-code", ...scope, ...page });
  const others = sessions.filter((session) => session.id !== newest.id);
  const outcomes: (ResumePlan | AppError)[] = [];
  for (const session of [newest, ...others]) {
    const outcome = await plan(context, here, session).catch(asRefusal);
    if (!(outcome instanceof AppError)) return addCaution(outcome, outcomes[0]);
    outcomes.push(outcome);
  }
  throw outcomes[0];
}

function addCaution({ cautions, ...plan }: ResumePlan, passedOver: unknown): ResumePlan {
  const told = passedOver instanceof AppError ? [`A newer one cannot be resumed. ${passedOver.message}`] : [];
  return { ...plan, cautions: [...told, ...cautions] };
}

/** What is wrong with one session is a reason to look at another; anything else is not. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError && error.kind === "usage") return error;
  throw error;
}

async function plan(context: CommandContext, here: OpenProject, session: Session): Promise<ResumePlan> {
  const { env, userHome, machine } = context;
  const usual = locateClient(userHome, undefined);
  const current = locateClient(userHome, env.CLAUDE_CONFIG_DIR);
  const [, ...others] = await readClientFolders(locateHome(env, userHome), current);
  const place = { usual, machine, project: here.project?.id, root: here.root };
  return planResume(here.store.log, session, { ...place, clients: [current, ...others] });
}
