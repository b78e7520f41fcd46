import { lstat } from "node:fs/promises";
import type { GitFacts } from "../../git/git-facts.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { hasOwn } from "../decisions/own-decisions.ts";
import { type DocumentName, DocumentRecord, type RecordSite } from "../document-record.ts";
import { locateHandover } from "../handover-folder.ts";
import { readKnown } from "./session-basis.ts";

/** Where documents are that others may have written. */
export interface ForeignSite {
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
