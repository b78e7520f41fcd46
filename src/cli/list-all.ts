import type { ConversationLog, SessionQuery } from "../conversation/conversation-log.ts";
import type { Session } from "../conversation/session.ts";

const pageSize = 200;

/** Yields every session that a query finds, newest first, page by page. */
export async function* listAll(log: ConversationLog, query: SessionQuery = {}): AsyncGenerator<Session> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await log.list({ ...query, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.sessions;
    cursor = page.next;
  }
}
