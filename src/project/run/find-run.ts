import type { ConversationLog } from "../../conversation/conversation-log.ts";
import { findSession } from "../../conversation/find-session.ts";
import type { ProjectId } from "../../conversation/project.ts";
import type { Session } from "../../conversation/session.ts";
import { AppError } from "../../lib/app-error.ts";

/** Finds the run that somebody means; the latest one of the project unless they say. */
export async function findRun(
  log: Pick<ConversationLog, "list">,
  text: string | undefined,
  { project, now }: { readonly project: ProjectId | undefined; readonly now: Date },
): Promise<Session> {
  if (text === undefined || text === "latest") {
    if (project === undefined) throw noRun();
    const { sessions } = await log.list({ project, client: "carryon-run", now, limit: 1 });
    const [latest] = sessions;
    if (latest === undefined) throw noRun();
    return latest;
  }
  const session = await findSession(log, text, { project, now });
  if (session.client !== "carryon-run") throw notARun(session);
  return session;
}

function noRun(): AppError {
  return new AppError("No session to resume: there is no run in this project.", {
    ...{ kind: "usage", code: "no-run", hint: 'Begin one with `carryon run "TASK"`.' },
  });
}

function notARun({ id, client }: Session): AppError {
  return new AppError(`${id} is a session of ${client}, and no run.`, {
    ...{ kind: "usage", code: "not-a-run", hint: "List the sessions with `carryon sessions --all`." },
  });
}
