import { type DecisionQuery, findDecisionsElsewhere } from "../../handover/find-decisions.ts";
import type { DecisionElsewhere } from "../../handover/logged-decisions.ts";
import { AppError } from "../../lib/app-error.ts";
import { chooseHandoverPlace } from "../../workspace/choose-handover-place.ts";
import { isNoStore, readHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";

/** Returns what was decided on other machines; a store that cannot be read hides nothing of the document. */
export async function findElsewhereHere(
  context: CommandContext,
  query: DecisionQuery,
): Promise<readonly DecisionElsewhere[]> {
  try {
    return await readHere(context, async (here) => {
      const { store, project, root } = here;
      if (project === undefined) return [];
      const { machine, clock, random } = context;
      const site = { log: store.log, project, root, machine, clock, random };
      return findDecisionsElsewhere(site, await chooseHandoverPlace(here), query);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!isNoStore(error))
      context.err(`What was decided on other machines cannot be read: ${error.message}\n`);
    return [];
  }
}
