import type { DatedDecision } from "../sessions/attribute-decisions.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { ProjectId } from "../sessions/project.ts";
import { recordClient, type Session } from "../sessions/session.ts";
import type { RecordedEvent } from "./document-record.ts";
import { collectWritten } from "./logged-decisions.ts";

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

/** Those by which sessions begin and end are no news. */
async function readRecord(log: ConversationLog, id: Session["id"]): Promise<readonly DatedDecision[]> {
  const notes: RecordedEvent[] = [];
  for await (const entry of log.read(id))
    if (entry.kind === "event") notes.push({ event: entry.event, at: entry.at, data: entry.data });
  return collectWritten(notes)
    .filter(({ type }) => !type.startsWith("SESSION_"))
    .map(({ seq, summary, decision, note }) => ({ seq, at: note.at, summary, decision }));
}
