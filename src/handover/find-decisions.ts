import { AppError } from "../lib/app-error.ts";
import { chooseHandoverPlace, type HandoverPlace } from "../workspace/choose-handover-place.ts";
import { isNoStore, readHere } from "../workspace/open-here.ts";
import type { Caller } from "../workspace/workspace.ts";
import type { FoundDecision } from "./decisions/parse-decisions.ts";
import { readLastDecisions, withoutWritten } from "./decisions/read-decisions.ts";
import { type DecisionElsewhere, readElsewhere } from "./logged-decisions.ts";

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
  query: DecisionQuery,
): Promise<readonly FoundDecision[]> {
  const { last = Number.POSITIVE_INFINITY, type, grep } = query;
  if (type === undefined && grep === undefined) return readLastDecisions(place, last);
  return choose(await readLastDecisions(place, Number.POSITIVE_INFINITY), query);
}

/** Finds decisions of other machines that the document of this folder does not have; warns where the store cannot be read. */
export async function findDecisionsElsewhere(
  context: Caller,
  query: DecisionQuery,
): Promise<readonly DecisionElsewhere[]> {
  try {
    return await readHere(context, async (here) => {
      const { store, project, root } = here;
      if (project === undefined) return [];
      const { machine, clock, random } = context;
      const site = { log: store.log, project, root, machine, clock, random };
      const elsewhere = await readElsewhere(site);
      if (elsewhere.length === 0) return [];
      return choose(await withoutWritten(await chooseHandoverPlace(here), elsewhere), query);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!isNoStore(error))
      context.warn(`What was decided on other machines cannot be read: ${error.message}`);
    return [];
  }
}

function choose<Found extends FoundDecision>(
  found: readonly Found[],
  { last = Number.POSITIVE_INFINITY, type, grep }: DecisionQuery,
): readonly Found[] {
  const words = grep?.toLowerCase() ?? "";
  return found
    .filter((each) => (type === undefined || each.type === type) && each.raw.toLowerCase().includes(words))
    .slice(-last);
}
