import { resolve } from "node:path";
import { AppError } from "../lib/app-error.ts";
import type { Ancestor } from "./ancestors.ts";
import type { ListedSession } from "./session-entry.ts";

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

export interface SessionQuestion {
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
