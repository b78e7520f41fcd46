import type { SessionId } from "../sessions/ids.ts";
import { groupHits, type HitGroup } from "../sessions/search-groups.ts";
import type { SearchPage, SearchRequest } from "../sessions/search-index.ts";
import { readShortIds, type ShortId } from "../sessions/short-ids.ts";
import { explainQuery } from "../storage/explain-query.ts";
import { chooseProject, type ProjectChoice } from "../workspace/choose-project.ts";
import { findHere, isNoStore, readHere } from "../workspace/open-here.ts";
import type { Caller } from "../workspace/workspace.ts";
import { readDigestLines } from "./digest-lines.ts";

/** What is looked for, and where: in one session, or in a project. */
export interface SearchAsked extends Omit<SearchRequest, "project" | "session" | "now" | "linesOf"> {
  readonly choice: ProjectChoice;
  /** As a person names it. */
  readonly session?: string | undefined;
}

/** Hits, by session too, and how the ids of their sessions are printed. */
export interface SearchAnswer {
  readonly page: SearchPage;
  readonly groups: readonly HitGroup[];
  readonly shortId: ShortId;
  /** Words of the query that were taken otherwise than they look, a sentence each. */
  readonly notes: readonly string[];
}

const nothing: Omit<SearchAnswer, "notes"> = {
  page: { hits: [], next: null, terms: [], scanned: 0, leftOut: [] },
  groups: [],
  shortId: (id) => id,
};

/** Searches the sessions of the current folder, or those that are asked for; finds nothing where nothing was ever recorded. */
export async function searchSessions(
  context: Caller,
  { choice, session, ...request }: SearchAsked,
  onIndexing: (done: number, total: number) => void,
): Promise<SearchAnswer> {
  const notes = explainQuery(request.query, context.clock.now());
  try {
    const found = await readHere(context, async (here) => {
      const { search, log } = here.store;
      const scope =
        session === undefined
          ? await chooseProject(here, choice)
          : { session: (await findHere(context, here, session)).id };
      if (scope === "nothing") return nothing;
      await search.catchUp(onIndexing);
      const linesOf = (ids: readonly SessionId[]) => readDigestLines(here.store, ids);
      const page = await search.search({ ...request, ...scope, now: context.clock.now(), linesOf });
      const ids = page.hits.map((hit) => hit.session);
      return { page, groups: await groupHits(log, page.hits), shortId: await readShortIds(log, ids) };
    });
    return { ...found, notes };
  } catch (error) {
    if (isNoStore(error)) return { ...nothing, notes };
    throw error;
  }
}
