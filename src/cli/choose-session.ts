import { AppError } from "../lib/app-error.ts";
import { listResumable } from "../lifecycle/plan-resume.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import { readLastPrompt } from "../sessions/read-last-prompt.ts";
import type { Session } from "../sessions/session.ts";
import { readShortIds } from "../sessions/short-ids.ts";
import { followIndex } from "../workspace/follow-index.ts";
import { choiceOf } from "../workspace/open-here.ts";
import type { OpenProject } from "../workspace/open-project.ts";
import type { CommandContext } from "./command-context.ts";
import { readPrompts } from "./search/read-prompts.ts";
import { showIndexing } from "./search/show-indexing.ts";
import { type Candidate, toChoices } from "./session-choices.ts";

/** More are not for choosing among; their ids can be typed. */
const limit = 30;

/**
 * Lets a person choose one of the newest sessions of this project that a client can resume; a script gets the newest.
 *
 * `plan` throws for a session that cannot be resumed: it is shown with the reason, and cannot be chosen.
 */
export async function chooseSession(
  context: CommandContext,
  { store, project }: OpenProject,
  plan: (session: Session) => Promise<unknown>,
): Promise<Session | undefined> {
  const now = context.clock.now();
  const sessions =
    project === undefined ? [] : await listResumable(store.log, { limit, now, project: project.id });
  const [newest] = sessions;
  if (newest === undefined)
    throw new SessionNotFound(
      "of Claude Code, of a chat or of a run in this project",
      "`carryon import claude-code --project .` takes in what it has kept, `carryon chat` begins one; `carryon sessions --all` lists other projects.",
    );
  if (sessions.length === 1 || !(context.isTerminal.input && context.isTerminal.error)) return newest;
  const candidates: Candidate[] = [];
  await followIndexIfAble(context, store);
  for (const session of sessions) {
    const prompt = await readLastPrompt(store.log, session.id);
    const said = await readPrompts(store, session.id);
    candidates.push({ session, prompt, said, obstacle: await findObstacle(session, plan) });
  }
  const shortId = await readShortIds(
    store.log,
    sessions.map(({ id }) => id),
  );
  const view = { width: context.columns ?? 80, style: context.errorStyle, now, shortId };
  const chosen = await context.choose("Which session?", toChoices(candidates, view));
  return chosen === undefined ? undefined : sessions[chosen];
}

/** Without the index, nothing but what is said of a session is found by typing. */
async function followIndexIfAble(context: CommandContext, store: OpenProject["store"]): Promise<void> {
  try {
    await showIndexing(context, (show) => followIndex(choiceOf(context), store, show));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function findObstacle(
  session: Session,
  plan: (session: Session) => Promise<unknown>,
): Promise<AppError | undefined> {
  try {
    await plan(session);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
