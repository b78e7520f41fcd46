import { AppError } from "../lib/app-error.ts";
import { type Caller, sessionOf } from "../workspace/caller.ts";
import { ancestorsOf } from "./ancestors.ts";
import { chooseSession, SeveralSessions } from "./choose-session.ts";
import type { GateDesk } from "./gate-desk.ts";
import { listSessionsHere, listTreesOf } from "./list-sessions-here.ts";
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
    fromEnvironment: sessionOf({ env }),
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
  return own ?? sessionOf({ env });
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

/** The fewest characters that are taken for the beginning of an id. */
const least = 4;

/**
 * Returns the id of a session that somebody names: by its id, the beginning of one that lives, or `latest`.
 *
 * An id that nobody knows stands for itself: a session may be spoken of before it is seen.
 */
function nameGateSession(named: string, living: readonly ListedSession[]): string {
  if (!/^(?=.*\w)[\w.:@-]{1,128}$/.test(named)) {
    throw new AppError(
      "This is no id of a session: it has up to 128 letters, digits and the signs . : @ _ -",
      {
        kind: "usage",
        code: "bad-gate-request",
        hint: "List those that live with `carryon gate sessions`.",
      },
    );
  }
  if (named === "latest") return idOf(newest(living));
  const id = /^[0-9a-f-]{32,}$/i.test(named) ? named.toLowerCase() : named;
  const exact = living.find(({ key, fullId }) => key === id || fullId === id);
  if (exact !== undefined) return idOf(exact);
  const near = id.length < least ? [] : living.filter((session) => idOf(session).startsWith(id));
  if (near.length > 1) throw new SeveralSessions(near);
  return near[0] === undefined ? id : idOf(near[0]);
}

function idOf({ fullId, key }: Pick<ListedSession, "fullId" | "key">): string {
  return fullId ?? key;
}

function newest(sessions: readonly ListedSession[]): ListedSession {
  const timeOf = ({ lastActive }: ListedSession) => lastActive?.getTime() ?? 0;
  const [found] = sessions.toSorted((one, other) => timeOf(other) - timeOf(one));
  if (found !== undefined) return found;
  throw new AppError("No session lives in this project.", {
    kind: "usage",
    code: "no-live-session",
    hint: "Name one by its id.",
  });
}
