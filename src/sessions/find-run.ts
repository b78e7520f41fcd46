import { type AppError, usageError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { ConversationLog } from "./conversation-log.ts";
import { findSession } from "./find-session.ts";
import type { ProjectId } from "./project.ts";
import type { Session } from "./session.ts";

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
  if (session.client !== "carryon-run") throw notARun(session);
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

function notARun({ id, client }: Session): AppError {
  return usageError("not-a-run", `${id} is a session of ${client}, and no run.`, {
    hint: "List the sessions with `carryon sessions --all`.",
  });
}
