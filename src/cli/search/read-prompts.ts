import { unlessFailed } from "../../lib/app-error.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { Store } from "../../storage/open-store.ts";

/** So many of the newest prompts are what a person remembers a session by. */
const most = 50;

/** Returns the beginnings of what a person asked in a session, newest first; none where the index cannot tell. */
export async function readPrompts(
  { search }: Pick<Store, "search">,
  session: SessionId,
): Promise<readonly string[]> {
  const asked = search.search({ query: "role:user", session, limit: most });
  // A session is chosen without them, too.
  const { hits } = await unlessFailed(asked, { hits: [] });
  return hits.map(({ snippet }) => snippet.map(({ text }) => text).join(""));
}
