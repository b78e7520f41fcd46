import { SessionNotFound } from "../conversation/errors.ts";
import type { Session } from "../conversation/session.ts";
import { describeAge } from "../lib/duration.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { truncate } from "../lib/terminal-text.ts";
import type { OpenProject } from "../project/open-project.ts";
import type { CommandContext } from "./command-context.ts";

/** More than fit on a screen are not for choosing among; their ids can be typed. */
const limit = 15;

/** Lets a person choose one of the newest sessions of this project that a client can resume; a script gets the newest. */
export async function chooseSession(
  context: CommandContext,
  { store, project }: OpenProject,
): Promise<Session | undefined> {
  const query = {
    client: "claude-code",
    limit,
    ...(project === undefined ? {} : { project: project.id }),
  } as const;
  const { sessions } = project === undefined ? { sessions: [] } : await store.log.list(query);
  const [newest] = sessions;
  if (newest === undefined)
    throw new SessionNotFound(
      "of Claude Code in this project",
      "`carryon sessions --all` lists all of them.",
    );
  if (sessions.length === 1 || !(context.isTerminal.input && context.isTerminal.error)) return newest;
  const width = (context.columns ?? 80) - 30;
  const chosen = await context.choose(
    "Which session?",
    sessions.map((session) => ({
      label: truncate(toPrintableLine(session.title || session.id), width),
      hint: `${describeAge(session.updatedAt, context.clock.now())}, ${session.status}`,
    })),
  );
  return chosen === undefined ? undefined : sessions[chosen];
}
