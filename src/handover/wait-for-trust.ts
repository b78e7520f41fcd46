import { lstat } from "node:fs/promises";
import type { GitFacts } from "../git/git-facts.ts";
import { unlessFailed, unlessGone } from "../lib/app-error.ts";
import { chooseHandoverPlace, type HandoverPlace } from "../workspace/choose-handover-place.ts";
import { isSurelyTrusted } from "../workspace/trust.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { hasOwn } from "./decisions/read-decisions.ts";
import { type DocumentName, DocumentRecord, type RecordSite } from "./document-record.ts";
import { locateHandover } from "./handover-folder.ts";
import { readKnown } from "./session/session-basis.ts";

/** Returns the documents of others because of which nothing is drafted by itself; none once the project is trusted. */
export async function findWaiting(
  home: string,
  here: ForeignSite & { readonly site: NonNullable<ForeignSite["site"]> },
): Promise<readonly DocumentName[]> {
  return (await isSurelyTrusted(home, here.site.project)) ? [] : findForeign(here);
}

/**
 * Returns the documents of others because of which nothing is drafted in a project until it is trusted. What cannot be
 * read, or is wrong with the configuration, is told elsewhere.
 */
export async function findWaitingHere(site: Workspace): Promise<readonly DocumentName[]> {
  const { home, root, git } = site;
  const found = chooseHandoverPlace({ home, root }).then((place) => findWaiting(home, { site, place, git }));
  return unlessFailed(found, []);
}

/** Says what waits for trust. */
export function describeWaiting(waiting: readonly DocumentName[]): string {
  return `${waiting.join(", ")}: written by others, so that nothing is drafted or noted here by itself.`;
}

/** Where documents are that others may have written. */
interface ForeignSite {
  /** Undefined where nothing was ever recorded: then nothing is this user's. */
  readonly site: RecordSite | undefined;
  readonly place: HandoverPlace;
  readonly git: GitFacts | undefined;
}

/**
 * Returns the documents of a project that others wrote: of which this user's log has nothing, and which this user has not
 * changed by hand.
 *
 * Until the project is trusted, nothing is written beside them that nobody asked for.
 */
export async function findForeign({ site, place, git }: ForeignSite): Promise<readonly DocumentName[]> {
  const paths = locateHandover(place);
  const isFrom = async (name: DocumentName, path: string) => {
    const record = site && new DocumentRecord(site, name);
    return (await readKnown(record, { root: place.root, path, git }))?.outside !== undefined;
  };
  const found: readonly (readonly [DocumentName, boolean])[] = [
    ["session.md", await isFrom("session.md", paths.session)],
    ["decisions.md", await hasForeignDecisions(site, place)],
    ["buffer.md", await isFrom("buffer.md", paths.buffer)],
  ];
  return found.flatMap(([name, isForeign]) => (isForeign ? [name] : []));
}

/** Each decision counts for itself: the document is this user's with the first of theirs. */
async function hasForeignDecisions(site: RecordSite | undefined, place: HandoverPlace): Promise<boolean> {
  const stats = await unlessGone(lstat(locateHandover(place).decisions));
  // A writer that is killed before its first decision leaves an empty file.
  if (stats === undefined || stats.size === 0) return false;
  return site === undefined || !(await hasOwn(site, place));
}
