import { z } from "zod";
import { toPrintableLine } from "../../lib/printable.ts";
import type { Session } from "../../sessions/session.ts";
import { makeAnswer } from "../answer.ts";
import { readRecordIfAny } from "../record/read-record.ts";
import { defineTool, reads, words } from "../tool.ts";

export const sessionList = defineTool({
  name: "session_list",
  title: "List the sessions of this project",
  description:
    "Lists the recorded sessions of this project, the newest first: id, when it last changed, whether it is open, ended or " +
    "interrupted, client, branch, number of messages and title. Use it to find the session that the user talks about; read it " +
    "with session_show.",
  input: {
    limit: z.int().min(1).max(100).default(20).describe("At most so many"),
    branch: words("Only sessions that began on this branch").optional(),
    tag: words("Only sessions with this tag").optional(),
    cursor: words("Go on where the answer before ended").optional(),
  },
  annotations: reads,
  run: async ({ limit, branch, tag, cursor }, call) => {
    const answer = await readRecordIfAny(call, async ({ log, project, now, talk }) => {
      const filter = { ...(branch && { branch }), ...(tag && { tag }), ...(cursor && { cursor }) };
      const { sessions, damaged, next } = await log.list({ project: project.id, limit, now, ...filter });
      const more = next === null ? "" : ` For older ones call again with cursor "${next}".`;
      const broken = damaged.length === 0 ? "" : ` Damaged and not listed: ${damaged.length}.`;
      const count = `${sessions.length} ${sessions.length === 1 ? "session" : "sessions"}.`;
      return makeAnswer(`${count}${broken}${more}`, talk + sessions.map(describeLine).join("\n"));
    });
    return answer ?? makeAnswer("Nothing was recorded in this project.");
  },
});

function describeLine(session: Session): string {
  const { id, updatedAt, status, client, branch, messages, title } = session;
  const facts = [id, updatedAt.toISOString(), status, client, branch ?? "-", `${messages} messages`];
  return toPrintableLine([...facts, title.slice(0, 120)].join("  "));
}
