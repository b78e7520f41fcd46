import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { DocumentRecord, type RecordSite } from "../document-record.ts";
import { digestOf } from "./digest.ts";
import type { FoundDecision } from "./parse-decisions.ts";
import { readDecisionsUntil, readLastDecisions } from "./read-decisions.ts";
import { announced } from "./recorded-decisions.ts";

/** How many notes of the log are looked through beside two for each decision: those of entries that others took away. */
const more = 160;

/** Returns those of the latest decisions that this user's log has; none where nothing was ever recorded. */
export async function keepOwn(
  site: RecordSite | undefined,
  decisions: readonly FoundDecision[],
): Promise<readonly FoundDecision[]> {
  if (site === undefined || decisions.length === 0) return [];
  const known = new Set<unknown>();
  const notes = new DocumentRecord(site, "decisions.md").read(2 * decisions.length + more);
  for await (const { event, data } of notes) if (event === announced) known.add(data.digest);
  return decisions.filter(({ raw }) => known.has(digestOf(raw)));
}

/** Tells whether this user's log has any of the decisions of a document. Most often it has one of the last. */
export async function hasOwn(site: RecordSite, place: HandoverPlace): Promise<boolean> {
  for (const last of [20, Number.POSITIVE_INFINITY])
    if ((await keepOwn(site, await readLastDecisions(place, last))).length > 0) return true;
  return false;
}

/**
 * Returns those of some logged decisions that decisions.md does not have: git may have brought them. Without a place none
 * of them counts as written there.
 *
 * Reads the document from its end, no further than to the last of them.
 */
export async function withoutWritten<Logged extends Pick<FoundDecision, "seq"> & { readonly digest: string }>(
  place: HandoverPlace | undefined,
  logged: readonly Logged[],
): Promise<readonly Logged[]> {
  if (place === undefined || logged.length === 0) return logged;
  const numbers = new Set(logged.map(({ seq }) => seq));
  const missingIn = (decisions: readonly FoundDecision[]) => {
    const same = decisions.filter(({ seq }) => numbers.has(seq));
    const found = new Set(same.map(({ raw }) => digestOf(raw)));
    return logged.filter(({ digest }) => !found.has(digest));
  };
  return missingIn(await readDecisionsUntil(place, (decisions) => missingIn(decisions).length === 0));
}
