import { join } from "node:path";
import { unlessFailed } from "../lib/app-error.ts";
import { withLock } from "../lib/file-lock.ts";
import type { TextPattern } from "../redaction/text-pattern.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { ScrubFinding } from "../sessions/scrubber.ts";
import { drainSpool, hasSpool } from "../storage/drain-spool.ts";
import { listCopies } from "../storage/maintenance.ts";
import { removeBriefFiles } from "../workspace/brief-files.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { readHere, storeOf, writeHere } from "../workspace/open-here.ts";
import type { Caller } from "../workspace/workspace.ts";

/** Where the pattern was found, and which other stores may hold it. */
export interface Found extends ScrubFinding {
  readonly copies: readonly string[];
}

/** What was replaced. */
export interface Replaced {
  readonly entries: number;
  readonly sessions: number;
  readonly projectNames: number;
  readonly damaged: readonly string[];
  readonly wiped: boolean;
}

/** Looks for a pattern in the whole store, and in what hooks left beside it. Names that hold it are shown without it. */
export async function findSecret(
  context: Caller,
  pattern: TextPattern,
  onProgress: (entries: number) => void,
): Promise<Found> {
  const home = locateHome(context.env, context.userHome);
  if ((await storeOf(context)).file !== undefined) await collectSpool(home);
  return readHere(context, async ({ store }) => {
    const finding = await store.scrubber.find(pattern, onProgress);
    const copies = await listCopies(home, store.path);
    return {
      ...finding,
      sessions: finding.sessions.map((each) => ({ ...each, session: hideInId(pattern, each.session) })),
      damaged: finding.damaged.map((id) => hideInId(pattern, id)),
      copies: copies.map((path) => pattern.replace(path, () => "…")),
    };
  });
}

/** Moves what hooks left beside the store into it, where it can be looked at. */
async function collectSpool(home: string): Promise<void> {
  if (!(await hasSpool(home))) return;
  await withLock(join(home, "sync"), () => drainSpool(home));
}

/** An id is made of the title, in lower case: there only its beginning, by which it is known too, is shown. */
function hideInId(pattern: TextPattern, id: SessionId): SessionId {
  const hidden = pattern.replace(id, () => "…");
  if (hidden !== id || !pattern.isLike(id)) return hidden as SessionId;
  const [known = ""] = /^session-\d{8}-\d{6}-[a-z0-9]{4}-/.exec(id) ?? [];
  return `${known}…` as SessionId;
}

/** Tells whether anything was found that can be replaced. */
export function isFound({ sessions, entries, projectNames, pending }: Found): boolean {
  return sessions.length > 0 || entries > 0 || projectNames > 0 || pending > 0;
}

/** Replaces a pattern in the whole store, and finishes what an earlier scrub has left. */
export async function scrub(
  context: Caller,
  pattern: TextPattern,
  onProgress: (entries: number) => void,
): Promise<Replaced> {
  await removeBriefFiles(locateHome(context.env, context.userHome));
  return writeHere(context, async ({ store }) => {
    const { isWiped, ...replaced } = await store.scrubber.replace(pattern, context.clock.now(), onProgress);
    // The next search does not wait for the sessions that the index has forgotten, or makes up for a failure.
    await unlessFailed(store.search.catchUp(), 0);
    return { ...replaced, damaged: replaced.damaged.map((id) => hideInId(pattern, id)), wiped: isWiped };
  });
}
