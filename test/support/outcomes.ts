import { type CommandResult, findFailure } from "../../src/outcomes/checks.ts";
import type { Rule } from "../../src/outcomes/rule.ts";
import type { AgentReport } from "../../src/outcomes/workflow-status.ts";
import type { EntryId } from "../../src/sessions/ids.ts";
import type { Blocker } from "../../src/work/blocker.ts";
import { type Outcome, standingBlockers } from "../../src/work/blockers/standing-blockers.ts";
import type { BlockerSettings } from "../../src/work/blockers/to-blocker.ts";

/** An outcome as a test writes it: which entry holds it does not matter. */
export type TestOutcome = { readonly at: Date } & (CommandResult | Pick<AgentReport, "agent" | "text">);

/** Gives an outcome an entry. */
export function toOutcome(outcome: TestOutcome): Outcome {
  return { ...outcome, entry: "ent_test" as EntryId };
}

/** Returns the blocker that counts after these outcomes. */
export function blockerAfter(
  outcomes: readonly TestOutcome[],
  settings?: BlockerSettings,
): Blocker | undefined {
  return standingBlockers({ outcomes: outcomes.map(toOutcome) }, settings)[0];
}

/** Returns the blocker that one result is, with the kind of tool that was found in it. */
export function blockerIn(result: CommandResult, rules?: readonly Rule[]) {
  const found = findFailure(result, { rules });
  const blocker = found && blockerAfter([{ ...result, at: new Date(0) }], { rules });
  if (found === undefined || blocker === undefined) return undefined;
  const { type, severity, description, errorPattern, resolution } = blocker;
  return {
    ...{ type, severity, description },
    ...(errorPattern !== undefined && { errorPattern }),
    ...{ resolution, tool: found.failure.tool },
  };
}
