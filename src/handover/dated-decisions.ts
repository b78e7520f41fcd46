import type { DatedDecision } from "../sessions/attribute-decisions.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { ProjectId } from "../sessions/project.ts";
import { recordClient, type Session } from "../sessions/session.ts";
import { parseDecisions } from "./decisions/parse-decisions.ts";
import { announced, written } from "./decisions/recorded-decisions.ts";

/** Returns the decisions that were written down in the projects of sessions, with their times, oldest first. */
export async function readDatedDecisions(
  log: ConversationLog,
  sessions: readonly Session[],
): Promise<readonly DatedDecision[]> {
  const found: DatedDecision[] = [];
  for (const project of new Set(sessions.map((session) => session.project)))
    for (const { id } of await listRecords(log, project)) found.push(...(await readRecord(log, id)));
  return found.sort((one, other) => one.at.getTime() - other.at.getTime());
}

async function listRecords(log: ConversationLog, project: ProjectId): Promise<readonly Session[]> {
  const { sessions } = await log.list({ project, client: recordClient, limit: 200 });
  return sessions.filter(({ id }) => id.startsWith("handover-decisions-"));
}

/** One that was announced and never written down is none. Those by which sessions begin and end are no news. */
async function readRecord(log: ConversationLog, id: Session["id"]): Promise<readonly DatedDecision[]> {
  const waiting = new Map<unknown, DatedDecision>();
  const found: DatedDecision[] = [];
  for await (const entry of log.read(id)) {
    if (entry.kind !== "event") continue;
    const { digest, text } = entry.data;
    const decision = waiting.get(digest);
    if (entry.event === written && decision !== undefined) found.push(decision);
    if (entry.event !== announced || typeof text !== "string") continue;
    const [parsed] = parseDecisions(text).decisions;
    if (parsed === undefined || parsed.type.startsWith("SESSION_")) continue;
    waiting.set(digest, {
      seq: parsed.seq,
      at: entry.at,
      summary: parsed.summary,
      decision: parsed.decision,
    });
  }
  return found;
}
