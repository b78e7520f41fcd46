import { goalOf } from "../digest/judge-work.ts";
import { readSessionDigests } from "../digest/read-digests.ts";
import { describeDigest } from "../digest/sections.ts";
import { unlessFailed } from "../lib/app-error.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { ProjectId } from "../sessions/project.ts";
import type { DigestLine, SearchPage, SearchRequest } from "../sessions/search-index.ts";
import type { Store } from "../storage/open-store.ts";

/** A search waits for so many entries that no digest covers yet; the digests of others are taken as they are kept. */
const mostEntries = 2000;

/** Returns a search of one project that finds entries by the lines of digests too. */
export function searchIn(
  store: Pick<Store, "log" | "digests" | "search">,
  confinedTo: ProjectId,
  now: Date,
): (request: SearchRequest) => Promise<SearchPage> {
  const linesOf = (ids: readonly SessionId[]) => readDigestLines(store, ids);
  return (request) => store.search.search({ now, ...request, confinedTo, linesOf });
}

/** Returns what the digests of sessions say, each line beside the goal of its session, with the entries that it comes from. */
export function readDigestLines(
  store: Pick<Store, "log" | "digests">,
  ids: readonly SessionId[],
): Promise<readonly DigestLine[]> {
  // A session that is damaged, or a store that is, hides nothing that was found without digests.
  return unlessFailed(readLines(store, ids), []);
}

async function readLines(
  store: Pick<Store, "log" | "digests">,
  ids: readonly SessionId[],
): Promise<readonly DigestLine[]> {
  const pages = await Promise.all(ids.map((id) => store.log.list({ id })));
  const sessions = pages.flatMap((page) => page.sessions);
  const digests = await readSessionDigests({ store }, sessions, { mostEntries });
  return [...digests].flatMap(([session, digest]) => {
    const goal = goalOf(digest);
    return describeDigest(digest)
      .filter(({ arePaths }) => arePaths === undefined)
      .flatMap(({ lines }) => lines)
      .map(({ text, sources }) => ({
        session,
        seqs: sources.map(({ seq }) => seq),
        texts: [text, goal],
      }));
  });
}
