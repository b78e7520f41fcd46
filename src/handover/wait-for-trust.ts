import { isSurelyTrusted } from "../workspace/trust.ts";
import type { DocumentName } from "./document-record.ts";
import { type ForeignSite, findForeign } from "./session/find-foreign.ts";

/** Returns the documents of others because of which nothing is drafted by itself; none once the project is trusted. */
export async function findWaiting(
  home: string,
  here: ForeignSite & { readonly site: NonNullable<ForeignSite["site"]> },
): Promise<readonly DocumentName[]> {
  return (await isSurelyTrusted(home, here.site.project)) ? [] : findForeign(here);
}
