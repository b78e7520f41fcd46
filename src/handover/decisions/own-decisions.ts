import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { DocumentRecord, type RecordSite } from "../document-record.ts";
import { digestOf } from "./digest.ts";
import type { FoundDecision } from "./parse-decisions.ts";
import { readLastDecisions } from "./read-last-decisions.ts";
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
