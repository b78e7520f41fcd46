import { AppError, usageError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { suggest } from "../lib/suggest.ts";
import type { ConversationLog, SessionQuery } from "./conversation-log.ts";
import { SessionNotFound } from "./errors.ts";
import { InvalidId, isName, type SessionId } from "./ids.ts";
import type { ProjectId } from "./project.ts";
import type { Session } from "./session.ts";

/** More than one session fits what was typed. */
export class AmbiguousSession extends AppError {
  constructor(text: string, candidates: readonly Session[]) {
    const list = candidates.map((each) => `  ${each.id}  ${toPrintableLine(each.title)}`).join("\n");
    super(`More than one session fits "${toPrintableLine(text.slice(0, 80))}".`, {
      kind: "usage",
      code: "ambiguous-session",
      hint: `Type more of the id of one of these:\n${list}`,
    });
  }
}

const candidateLimit = 10;

/**
 * Finds the session that a person means: an id, the beginning of one, a title, the beginning of one, or `latest`.
 *
 * Titles and `latest` look in the given project first, then everywhere.
 */
export async function findSession(
  log: Pick<ConversationLog, "list">,
  text: string,
  scope: {
    readonly project?: ProjectId | undefined;
    /** The time, so that a session from a wrong clock is not `latest` for ever. */
    readonly now?: Date;
    /** The beginning of a title is enough unless it has to be the whole, as before something is destroyed. */
    readonly titles?: "begin" | "whole";
  },
): Promise<Session> {
  const here = scope.project === undefined ? {} : { project: scope.project };
  const now = scope.now === undefined ? {} : { now: scope.now };
  if (text === "") throw new InvalidId("session id", text);
  if (text === "latest") {
    const found = (await firstFound(log, [{ ...here, ...now, limit: 1 }]))[0];
    if (found === undefined) throw noneOfProject();
    return found;
  }
  const matches = await firstFound(log, [
    ...(isName(text) ? [{ id: text as SessionId }, { idPrefix: text }] : []),
    { ...here, titlePrefix: text },
    { titlePrefix: text },
  ]);
  const found = scope.titles === "whole" ? matches.filter((each) => isWhole(each, text)) : matches;
  const [only, ...others] = preferWhole(found, text);
  if (only === undefined) throw await notFound(log, text);
  if (others.length > 0) throw new AmbiguousSession(text, found);
  return only;
}

/** Makes the error of a project in which nothing was recorded. */
export function noneOfProject(): SessionNotFound {
  return new SessionNotFound(
    "of this project",
    "If its folder has moved, run `carryon relink OLD_PATH` here. `carryon sessions --all` lists those of all projects.",
  );
}

/** Returns the sessions that the first query with an answer gives. */
async function firstFound(
  log: Pick<ConversationLog, "list">,
  queries: readonly SessionQuery[],
): Promise<readonly Session[]> {
  for (const query of queries) {
    const { sessions } = await log.list({ limit: candidateLimit, ...query });
    if (sessions.length > 0) return sessions;
  }
  return [];
}

function isWhole(session: Session, text: string): boolean {
  return session.id.startsWith(text) || session.title.toLowerCase() === text.toLowerCase();
}

/** A title that was typed whole means that session, although others may begin with the same words. */
function preferWhole(found: readonly Session[], text: string): readonly Session[] {
  const whole = found.filter((each) => each.title === text);
  return whole.length === 1 ? whole : found;
}

async function notFound(log: Pick<ConversationLog, "list">, text: string): Promise<AppError> {
  if (!isName(text) && text.length > 200) return new InvalidId("session id", text);
  const { sessions } = await log.list({ limit: 200 });
  const known = sessions.flatMap((each) => [each.id, each.title]);
  const near = suggest(text, known.length === 0 ? [] : ["latest", ...known]);
  const shown = toPrintableLine(text.slice(0, 80));
  return near.length === 0
    ? new SessionNotFound(shown)
    : new SessionNotFound(shown, `Did you mean ${near.map((each) => toPrintableLine(each)).join(", or ")}?`);
}

/** Where a run is looked for. */
interface RunScope {
  readonly project: ProjectId | undefined;
  readonly now: Date;
  /** Whose latest run is meant: that of this machine unless told. */
  readonly machines?: "this" | "all";
}

/**
 * Finds the run that somebody means; the latest one of the project unless they say.
 *
 * A run acts: one that was last worked in on another machine goes on here only if it is named.
 */
export async function findRun(
  log: Pick<ConversationLog, "list">,
  text: string | undefined,
  { project, now, machines = "this" }: RunScope,
): Promise<Session> {
  if (text === undefined || text === "latest") {
    if (project === undefined) throw noRun();
    const query = { project, client: "carryon-run", now, limit: 1 } as const;
    const newest = machines === "this" ? ({ newest: "here" } as const) : {};
    const [latest] = (await log.list({ ...query, ...newest })).sessions;
    if (latest !== undefined) return latest;
    throw noRun((await log.list(query)).sessions[0]);
  }
  const session = await findSession(log, text, { project, now });
  if (session.client !== "carryon-run")
    throw usageError("not-a-run", `${session.id} is a session of ${session.client}, and no run.`, {
      hint: "List the sessions with `carryon sessions --all`.",
    });
  return session;
}

function noRun(elsewhere?: Session): AppError {
  const [what, hint] =
    elsewhere === undefined
      ? ["there is no run in this project", 'Begin one with `carryon run "TASK"`.']
      : [
          `the runs of this project are of another machine, the newest of ${toPrintableLine(elsewhere.machine)}`,
          `To go on with that one here: \`carryon run --resume --session ${elsewhere.id}\``,
        ];
  return usageError("no-run", `No session to resume: ${what}.`, { hint });
}
