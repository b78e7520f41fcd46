import { AppError } from "../../lib/app-error.ts";
import { listAll } from "../../sessions/list-all.ts";
import type { Session } from "../../sessions/session.ts";
import { chooseProject, type ProjectChoice } from "../../workspace/choose-project.ts";
import { findHere } from "../../workspace/open-here.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";

/** Returns the sessions that are named, each once; without a name those of a project, newest first. */
export async function chooseSessions(
  context: CommandContext,
  here: OpenProject,
  ids: readonly string[],
  choice: ProjectChoice,
): Promise<readonly Session[]> {
  const found = new Map<string, Session>();
  for (const id of ids) {
    const session = await findHere(context, here, id);
    found.set(session.id, session);
  }
  if (ids.length > 0) return [...found.values()];
  const scope = await chooseProject(here, choice);
  const sessions = scope === "nothing" ? [] : await Array.fromAsync(listAll(here.store.log, scope));
  if (sessions.length > 0) return sessions;
  throw new AppError("There is no session to export in this project.", {
    kind: "usage",
    code: "session-not-found",
    hint: "Name one, or take those of all projects with --all. `carryon sessions --all` lists them.",
  });
}
