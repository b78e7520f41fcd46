import { catchUp } from "../../lifecycle/catch-up.ts";
import { type RunEnd, readRunEnd } from "../../sessions/run-done.ts";
import type { Session } from "../../sessions/session.ts";
import { listSessions } from "../../workspace/list-sessions.ts";
import { readHere } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import type { Column } from "../render-table.ts";
import { toSessionJson } from "../session-json.ts";
import { renderSessions, statusStyle } from "../session-table.ts";
import { hintAtKept } from "./offer-kept-runs.ts";

const query = { client: "carryon-run", limit: 50 };

/** Lists the runs of a project with their rounds and why each ended, the newest first. */
export async function listRuns(context: CommandContext, { json }: { readonly json: boolean }): Promise<void> {
  await catchUp(context);
  const { shortId, ...page } = await listSessions(context, { choice: {}, query }, () => undefined);
  const ends = await readEnds(context, page.sessions);
  const endOf = ({ id }: Session): RunEnd => ends.get(id) ?? { rounds: 0, reason: undefined };
  if (json) {
    const sessions = page.sessions.map((session) => {
      const { rounds, reason = null } = endOf(session);
      return { ...toSessionJson(session), rounds, reason };
    });
    return context.out(`${renderJson({ ...page, sessions })}\n`);
  }
  if (page.sessions.length === 0)
    return context.err((await hintAtKept(context)) ?? 'No runs here. Begin one with `carryon run "TASK"`.\n');
  const instead: readonly Column<Session>[] = [
    { header: "ROUNDS", cell: (session) => String(endOf(session).rounds), align: "right", leaves: 3 },
    {
      header: "ENDED",
      cell: (session) => describeEnd(session, endOf(session)),
      style: ({ status }) => statusStyle(status, context.style),
      leaves: 6,
    },
  ];
  context.out(renderSessions(page.sessions, context, { shortId, instead }));
}

async function readEnds(
  context: CommandContext,
  sessions: readonly Session[],
): Promise<ReadonlyMap<string, RunEnd>> {
  if (sessions.length === 0) return new Map();
  return readHere(context, async ({ store }) => {
    const ends = sessions.map(async (each) => [each.id, await readRunEnd(store.log, each)] as const);
    return new Map(await Promise.all(ends));
  });
}

const reasons: Readonly<Record<string, string>> = {
  rounds: "limit of rounds",
  tokens: "limit of tokens",
  time: "limit of time",
  cost: "limit of cost",
  stalled: "nothing new",
  unclear: "no decision",
};

/** What was cut off, or goes on, has no reason. */
function describeEnd({ status }: Session, { reason }: RunEnd): string {
  return reason === undefined ? status : (reasons[reason] ?? reason);
}
