import type { SessionPage, SessionQuery } from "../../sessions/conversation-log.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { SearchPage } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import type { Store } from "../../storage/open-store.ts";

/** So many hits are looked at; who has more of them needs more words. */
const mostHits = 10_000;
const atOnce = 500;

/** Lists the sessions in which something was said, that with the newest hit first; `query` says which of them count. */
export async function listSaid(store: Store, said: string, query: SessionQuery): Promise<SessionPage> {
  const sessions: Session[] = [];
  // The search keeps to the project, unless what is looked for names another.
  const { project: _, ...others } = query;
  for await (const id of findSaid(store, said, query)) {
    sessions.push(...(await store.log.list({ ...others, id })).sessions);
    if (sessions.length === (query.limit ?? 50)) break;
  }
  return { sessions, damaged: [], next: null };
}

/** Yields the sessions that have hits, each once. */
async function* findSaid(
  { search }: Store,
  said: string,
  { project, now }: SessionQuery,
): AsyncGenerator<SessionId> {
  const request = { query: said, limit: atOnce, ...(project && { project }), ...(now && { now }) };
  const seen = new Set<SessionId>();
  for (let cursor: string | null = null, hits = 0; hits < mostHits; ) {
    const page: SearchPage = await search.search({ ...request, ...(cursor !== null && { cursor }) });
    const found = page.hits.map(({ session }) => session).filter((session) => !seen.has(session));
    for (const session of found) seen.add(session);
    yield* new Set(found);
    hits += page.hits.length;
    cursor = page.next;
    if (cursor === null) return;
  }
}
