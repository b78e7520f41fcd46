import { resolve } from "node:path";
import { AppError, usageError } from "../lib/app-error.ts";
import { type Caller, sessionOf } from "../workspace/workspace.ts";
import { type Ancestor, ancestorsOf } from "./ancestors.ts";
import type { GateDesk } from "./gate-desk.ts";
import { listSessionsHere, listTreesOf } from "./list-sessions-here.ts";
import { listSessions } from "./registry.ts";
import type { ListedSession } from "./session-key.ts";

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
  throw noLiveSession(
    "Start one, or name one with --session; with --branch it is said for all sessions of the branch.",
  );
}

function noLiveSession(hint: string): AppError {
  return usageError("no-live-session", "No session lives in this project.", { hint });
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
    throw usageError(
      "bad-gate-request",
      "This is no id of a session: it has up to 128 letters, digits and the signs . : @ _ -",
      { hint: "List those that live with `carryon gate sessions`." },
    );
  }
  if (named === "latest") {
    const found = newest(living);
    if (found === undefined) throw noLiveSession("Name one by its id.");
    return idOf(found);
  }
  const id = /^[0-9a-f-]{32,}$/i.test(named) ? named.toLowerCase() : named;
  const exact = living.find(({ key, fullId }) => key === id || fullId === id);
  if (exact !== undefined) return idOf(exact);
  const near = id.length < least ? [] : living.filter((session) => idOf(session).startsWith(id));
  if (near.length > 1) throw new SeveralSessions(near);
  return near[0] === undefined ? id : idOf(near[0]);
}

/** Several sessions run in a project, and nothing tells which one is meant. */
export class SeveralSessions extends AppError {
  readonly sessions: readonly ListedSession[];

  constructor(sessions: readonly ListedSession[]) {
    const list = sessions.map(({ key, branch }) => (branch === null ? key : `${key} (${branch})`));
    super(`Several sessions run in this project: ${list.join(", ")}.`, {
      kind: "usage",
      code: "several-sessions",
      hint: "Name one with `--session`.",
    });
    this.sessions = sessions;
  }
}

interface SessionQuestion {
  /** What `--session` says. */
  readonly session?: string | undefined;
  /** What CARRYON_SESSION says. */
  readonly fromEnvironment?: string | undefined;
  readonly registry: readonly ListedSession[];
  readonly ancestors: readonly Pick<Ancestor, "pid">[];
  /** The folder that is worked in; without one only ancestors are looked at. */
  readonly projectDir?: string;
  /** The work trees of the same repository, which are looked at where nobody works in the folder. */
  readonly workTrees?: readonly string[];
}

/**
 * Returns the id of the current session: the one that is named, else the one whose client this process comes from, else
 * the only one that runs in this project. Undefined when there is none. The id is the full one where it is known.
 */
export function chooseSession(question: SessionQuestion): string | undefined {
  const { session, fromEnvironment, registry, ancestors, projectDir, workTrees = [] } = question;
  const named = session || fromEnvironment;
  if (named) return named;
  const living = registry.filter(({ liveness }) => liveness === "alive");
  for (const { pid } of ancestors) {
    // A client goes from one session to the next; the one before may not have been taken out.
    const own = newest(living.filter(({ ppid }) => ppid === pid));
    if (own !== undefined) return idOf(own);
  }
  if (projectDir === undefined) return undefined;
  const own = livingIn(living, [projectDir]);
  const here = own.length > 0 ? own : livingIn(living, workTrees);
  if (here.length > 1) throw new SeveralSessions(here);
  return here[0] && idOf(here[0]);
}

function livingIn(living: readonly ListedSession[], folders: readonly string[]): readonly ListedSession[] {
  const paths = new Set(folders.map((folder) => resolve(folder)));
  return living.filter(({ projectDir }) => paths.has(resolve(projectDir)));
}

function idOf({ fullId, key }: ListedSession): string {
  return fullId ?? key;
}

function newest(sessions: readonly ListedSession[]): ListedSession | undefined {
  const timeOf = ({ lastActive }: ListedSession) => lastActive?.getTime() ?? 0;
  return sessions.toSorted((one, other) => timeOf(other) - timeOf(one))[0];
}
