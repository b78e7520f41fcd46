import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { ProjectId } from "../sessions/project.ts";
import type { Client, Session } from "../sessions/session.ts";

/** The programs that can go on with a session of theirs. */
const resumable: readonly Client[] = ["claude-code", "carryon-chat", "carryon-run"];

/** Returns the newest sessions that some program can go on with, in a project or in all. */
export async function listResumable(
  log: Pick<ConversationLog, "list">,
  query: { readonly project?: ProjectId; readonly limit: number; readonly now: Date },
): Promise<readonly Session[]> {
  const pages = await Promise.all(resumable.map((client) => log.list({ ...query, client })));
  return pages
    .flatMap(({ sessions }) => sessions)
    .sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())
    .slice(0, query.limit);
}
