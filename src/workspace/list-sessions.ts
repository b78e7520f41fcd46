import type { SessionPage, SessionQuery } from "../sessions/conversation-log.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { SearchPage } from "../sessions/search-index.ts";
import type { Session } from "../sessions/session.ts";
import { readTableIds, type ShortId, type TableView } from "../sessions/short-ids.ts";
import type { Store } from "../storage/open-store.ts";
import { chooseProject, type ProjectChoice } from "./choose-project.ts";
import { refuseMistyped } from "./known-clients.ts";
import { isNoStore, readHere } from "./open-here.ts";
import type { Caller } from "./workspace.ts";

/** Which sessions are listed. */
export interface ListRequest {
  readonly choice: ProjectChoice;
  readonly query: Omit<SessionQuery, "project" | "now" | "updatedAfter">;
  /** Changed in so many milliseconds. */
  readonly since?: number | undefined;
  /** Only those in which a search finds this. */
  readonly grep?: string | undefined;
}

/** A page, and how its ids are printed. */
export type ShownPage = SessionPage & { readonly shortId: ShortId };

const emptyPage: ShownPage = { sessions: [], damaged: [], next: null, shortId: (id) => id };

/** Lists sessions, newest first; none where nothing was ever recorded. */
export async function listSessions(
  context: Caller & TableView,
  { choice, query, since, grep }: ListRequest,
  onIndexing: (done: number, total: number) => void,
): Promise<ShownPage> {
  const now = context.clock.now();
  const updatedAfter = since === undefined ? {} : { updatedAfter: new Date(now.getTime() - since) };
  try {
    return await readHere(context, async (here) => {
      const { log } = here.store;
      const scope = await chooseProject(here, choice);
      if (scope === "nothing") return emptyPage;
      const wanted = { ...query, ...scope, ...updatedAfter, now };
      if (grep !== undefined) await here.store.search.catchUp(onIndexing);
      const found = await (grep === undefined ? log.list(wanted) : listSaid(here.store, grep, wanted));
      if (found.sessions.length === 0) await refuseMistyped(log, query.client);
      return { ...found, shortId: await readTableIds(context, log, found.sessions) };
    });
  } catch (error) {
    if (isNoStore(error)) return emptyPage;
    throw error;
  }
}

/** So many hits are looked at; who has more of them needs more words. */
const mostHits = 10_000;
const atOnce = 500;

/** Lists the sessions in which something was said, that with the newest hit first; `query` says which of them count. */
async function listSaid(store: Store, said: string, query: SessionQuery): Promise<SessionPage> {
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
