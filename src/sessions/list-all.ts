import type { ConversationLog, SessionPage, SessionQuery } from "./conversation-log.ts";
import type { Session } from "./session.ts";

const pageSize = 200;

/** Yields every session that a query finds, newest first, page by page. */
export async function* listAll(
  log: Pick<ConversationLog, "list">,
  query: SessionQuery = {},
): AsyncGenerator<Session> {
  for await (const { sessions } of listPages(log, query)) yield* sessions;
}

/** Yields all pages of what a query finds. */
export async function* listPages(
  log: Pick<ConversationLog, "list">,
  query: SessionQuery = {},
): AsyncGenerator<SessionPage> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await log.list({ ...query, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    yield page;
    cursor = page.next;
  }
}
