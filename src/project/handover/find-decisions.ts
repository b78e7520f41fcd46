import type { FoundDecision } from "../../handover/decisions/parse-decisions.ts";
import { readLastDecisions } from "../../handover/decisions/read-last-decisions.ts";
import type { HandoverPlace } from "../../handover/handover-folder.ts";

/** Which decisions are wanted; all conditions must hold. */
export interface DecisionQuery {
  /** At most so many, the newest. */
  readonly last?: number;
  readonly type?: string;
  /** Words that stand somewhere in it, in whatever case. */
  readonly grep?: string;
}

/** Finds decisions of a project. Without a condition only its end is read. */
export async function findDecisions(
  place: HandoverPlace,
  { last = Number.POSITIVE_INFINITY, type, grep }: DecisionQuery,
): Promise<readonly FoundDecision[]> {
  if (type === undefined && grep === undefined) return readLastDecisions(place, last);
  const found = await readLastDecisions(place, Number.POSITIVE_INFINITY);
  const words = grep?.toLowerCase() ?? "";
  return found
    .filter((each) => (type === undefined || each.type === type) && each.raw.toLowerCase().includes(words))
    .slice(-last);
}
