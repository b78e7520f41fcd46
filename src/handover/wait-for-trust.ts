import { unlessFailed } from "../lib/app-error.ts";
import { chooseHandoverPlace } from "../workspace/choose-handover-place.ts";
import { isSurelyTrusted } from "../workspace/trust.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { DocumentName } from "./document-record.ts";
import { type ForeignSite, findForeign } from "./session/find-foreign.ts";

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
