import { AppError } from "../lib/app-error.ts";
import type { Caller } from "../workspace/caller.ts";
import { ancestorsOf } from "./ancestors.ts";
import { chooseSession, SeveralSessions } from "./choose-session.ts";
import type { GateDesk } from "./gate-desk.ts";
import { listSessionsHere, listTreesOf } from "./list-sessions-here.ts";
import { nameGateSession } from "./name-gate-session.ts";
import { listSessions } from "./registry.ts";
import type { ListedSession } from "./session-entry.ts";

type Asker = Pick<Caller, "env" | "pid">;

/** Returns the id of the session that is meant; undefined where there is none. Several are named, so that one can be chosen. */
async function findGateSession(
  { env, pid }: Asker,
  here: GateDesk,
  named: string | undefined,
): Promise<string | undefined> {
  if (named !== undefined) return nameGateSession(named, await listSessionsHere(here));
  const { sessions } = await listSessions({ path: here.registry });
  return chooseSession({
    fromEnvironment: env.CARRYON_SESSION || env.CLAUDE_CODE_SESSION_ID,
    registry: sessions,
    ancestors: await ancestorsOf(pid),
    projectDir: here.root,
    workTrees: listTreesOf(here),
  });
}

/** Returns the id of the session that is meant; null where there is none, or several live of which any may be meant. */
export async function findSessionIfClear(
  context: Asker,
  here: GateDesk,
  named?: string,
): Promise<string | null> {
  try {
    return (await findGateSession(context, here, named)) ?? null;
  } catch (error) {
    if (named === undefined && error instanceof SeveralSessions) return null;
    throw error;
  }
}

/** Returns the id of the session that runs this command: by the process that it comes from, else by its environment. */
export async function findOwnSession({ env, pid }: Asker, here: GateDesk): Promise<string | undefined> {
  const { sessions } = await listSessions({ path: here.registry });
  const own = chooseSession({ registry: sessions, ancestors: await ancestorsOf(pid), workTrees: [] });
  return own ?? (env.CARRYON_SESSION || env.CLAUDE_CODE_SESSION_ID || undefined);
}

/** Returns the id of the session that is meant, and throws where there is none. */
export async function requireGateSession(
  context: Asker,
  here: GateDesk,
  named: string | undefined,
): Promise<string> {
  const session = await findGateSession(context, here, named);
  if (session !== undefined) return session;
  throw new AppError("No session lives in this project.", {
    kind: "usage",
    code: "no-live-session",
    hint: "Start one, or name one with --session; with --branch it is said for all sessions of the branch.",
  });
}

/** Returns the sessions that live, as far as that can be seen from here. */
export async function listLiveSessions({ registry }: GateDesk): Promise<readonly ListedSession[]> {
  const { sessions } = await listSessions({ path: registry });
  return sessions.filter(({ liveness }) => liveness !== "gone");
}
