import { clientFolderOf } from "../clients/claude-code/locate-client.ts";
import { locateRoot } from "../git/locate-root.ts";
import { AppError } from "../lib/app-error.ts";
import type { Caller } from "../workspace/workspace.ts";
import { ancestorsOf } from "./ancestors.ts";
import { chooseSession } from "./choose-gate-session.ts";
import { listSessions, locateRegistry } from "./registry.ts";

/**
 * Returns the id of the session that the client of a server is in; undefined where that is not known.
 *
 * The client starts the server once and may go from session to session. What it said then counts only where it is not
 * known which session lives in it.
 */
export async function findCaller(context: Caller): Promise<string | undefined> {
  const { env, pid, cwd } = context;
  const said = env.CLAUDE_CODE_SESSION_ID || undefined;
  const { sessions } = await listSessions({ path: locateRegistry(clientFolderOf(context)) });
  const ancestors = await ancestorsOf(pid);
  const own = sessions.filter(({ ppid }) => ancestors.some((each) => each.pid === ppid));
  const registry = said === undefined ? sessions : own;
  const projectDir = await locateRoot(cwd);
  try {
    return chooseSession({ fromEnvironment: env.CARRYON_SESSION, registry, ancestors, projectDir }) ?? said;
  } catch (error) {
    // Several live here, and any may be meant.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
