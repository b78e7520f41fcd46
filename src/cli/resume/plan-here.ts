import { locateClient } from "../../clients/claude-code/locate-client.ts";
import { AppError } from "../../lib/app-error.ts";
import { listResumable } from "../../lifecycle/list-resumable.ts";
import { planResume, type ResumePlan } from "../../lifecycle/plan-resume.ts";
import { readClientFolders } from "../../recording/client-folders.ts";
import type { Session } from "../../sessions/session.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { findHere } from "../../workspace/open-here.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import { chooseSession } from "../choose-session.ts";
import type { CommandContext } from "../command-context.ts";

/** Plans to resume the session that a person names or chooses; undefined when nothing was chosen. */
export async function planHere(
  context: CommandContext,
  here: OpenProject,
  id: string | undefined,
): Promise<ResumePlan | undefined> {
  const plan = await makePlanner(context, here);
  const session =
    id === undefined ? await chooseSession(context, here, plan) : await findHere(context, here, id);
  if (session === undefined) return undefined;
  const asks = context.isTerminal.input && context.isTerminal.error;
  const isNewest = id === "latest" || (id === undefined && !asks);
  return isNewest ? planNewest(context, here, session, plan) : plan(session);
}

type Planner = (session: Session) => Promise<ResumePlan>;

/** Returns what plans to resume a session from here; where the client's folders are is looked up once. */
async function makePlanner(context: CommandContext, here: OpenProject): Promise<Planner> {
  const { env, userHome, machine } = context;
  const usual = locateClient(userHome, undefined);
  const current = locateClient(userHome, env.CLAUDE_CONFIG_DIR);
  const [, ...others] = await readClientFolders(locateHome(env, userHome), current);
  const clients = [current, ...others] as const;
  const place = { usual, machine, clients, project: here.project?.id, root: here.root };
  return (session) => planResume(here.store.log, session, place);
}

/** Older ones can be named. */
const candidates = 20;

/** Plans to resume the newest session that can be; where none can, it is told why the newest cannot. */
async function planNewest(
  context: CommandContext,
  here: OpenProject,
  newest: Session,
  plan: Planner,
): Promise<ResumePlan> {
  const scope = here.project === undefined ? {} : { project: here.project.id };
  const page = { limit: candidates, now: context.clock.now() };
  const sessions = await listResumable(here.store.log, { ...scope, ...page });
  const others = sessions.filter((session) => session.id !== newest.id);
  const outcomes: (ResumePlan | AppError)[] = [];
  for (const session of [newest, ...others]) {
    const outcome = await plan(session).catch(asRefusal);
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
