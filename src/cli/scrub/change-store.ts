import { join } from "node:path";
import { acquireLock } from "../../lib/file-lock.ts";
import type { TextPattern } from "../../redaction/text-pattern.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { drainSpool, hasSpool } from "../../storage/drain-spool.ts";
import { listCopies } from "../../storage/maintenance.ts";
import { removeBriefFiles } from "../../workspace/brief-files.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { readHere, storeOf, writeHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { askConsent } from "../consent.ts";
import { openProgress } from "../progress.ts";
import { describeAmount, type Found, type Replaced } from "./report.ts";

/** Moves what hooks left beside the store into it, where it can be looked at. */
export async function collectSpool(context: CommandContext): Promise<void> {
  if ((await storeOf(context)).file === undefined) return;
  const home = locateHome(context.env, context.userHome);
  if (!(await hasSpool(home))) return;
  const lock = await acquireLock(join(home, "sync"));
  try {
    await drainSpool(home);
  } finally {
    await lock.release();
  }
}

/** Looks for the pattern in the whole store. Names that hold it themselves are shown without it. */
export async function findInStore(context: CommandContext, pattern: TextPattern): Promise<Found> {
  const hide = (text: string) => pattern.replace(text, () => "…");
  const hideId = (id: SessionId) => hideInId(pattern, id);
  return readHere(context, async ({ store }) => {
    const progress = openProgress(context);
    const finding = await store.scrubber.find(pattern, (bodies) =>
      progress.show(`Looked at ${bodies} entries`),
    );
    progress.clear();
    return {
      ...finding,
      sessions: finding.sessions.map((each) => ({ ...each, session: hideId(each.session) })),
      damaged: finding.damaged.map(hideId),
      copies: (await listCopies(locateHome(context.env, context.userHome), store.path)).map(hide),
    };
  });
}

/** An id is made of the title, in lower case: there only its beginning, by which it is known too, is shown. */
function hideInId(pattern: TextPattern, id: SessionId): SessionId {
  const hidden = pattern.replace(id, () => "…");
  if (hidden !== id || !pattern.isLike(id)) return hidden as SessionId;
  const [known = ""] = /^session-\d{8}-\d{6}-[a-z0-9]{4}-/.exec(id) ?? [];
  return `${known}…` as SessionId;
}

/** Replaces what was found, after consent; null when there is nothing to do or nobody consents. */
export async function replaceInStore(
  context: CommandContext,
  pattern: TextPattern,
  found: Found,
  { yes }: { readonly yes: boolean },
): Promise<Replaced | null> {
  const isFound =
    found.sessions.length > 0 || found.entries > 0 || found.projectNames > 0 || found.pending > 0;
  if (!isFound && !found.isUnfinished) return null;
  // To finish what was consented to before, nobody is asked again.
  const request = {
    yes: yes || !isFound,
    question: `Replace it for good in ${describeAmount({ ...found, sessions: found.sessions.length })}?`,
    otherwise: "Nothing was scrubbed.",
  };
  if (!(await askConsent(context, request))) return null;
  await removeBriefFiles(locateHome(context.env, context.userHome));
  return writeHere(context, async ({ store }) => {
    const progress = openProgress(context);
    const { isWiped, ...replaced } = await store.scrubber.replace(pattern, context.clock.now(), (bodies) =>
      progress.show(`Went through ${bodies} entries`),
    );
    progress.clear();
    const damaged = replaced.damaged.map((id) => hideInId(pattern, id));
    return { ...replaced, damaged, wiped: isWiped };
  });
}
