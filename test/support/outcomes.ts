import type { CommandResult, RanCommand } from "../../src/outcomes/checks.ts";
import { findFailure, findRuns } from "../../src/outcomes/find-runs.ts";
import type { OwnRule } from "../../src/outcomes/rule.ts";
import { type AgentReport, readReport } from "../../src/outcomes/workflow-status.ts";
import type { EntryId } from "../../src/sessions/ids.ts";
import type { Blocker } from "../../src/work/blocker.ts";
import { type Recorded, standingBlockers } from "../../src/work/blockers/standing-blockers.ts";
import type { BlockerSettings } from "../../src/work/blockers/to-blocker.ts";

/** An outcome as a test writes it: which entry holds it does not matter. */
export type TestOutcome = { readonly at: Date } & (CommandResult | Pick<AgentReport, "agent" | "text">);

/** The result of a command, or the report of an agent. */
type Outcome = RanCommand | AgentReport;

let made = 0;

/** Gives an outcome an entry. */
export function toOutcome(outcome: TestOutcome): Outcome {
  made += 1;
  return { ...outcome, entry: `ent_${made}` as EntryId };
}

/** Returns the blockers that stand after these outcomes; ages are told when the last of them ended, unless given. */
export function standingAfter(
  { outcomes, ...more }: { readonly outcomes: readonly Outcome[] } & Partial<Recorded>,
  settings: BlockerSettings = {},
): readonly Blocker[] {
  const runs = outcomes.flatMap((each) => ("agent" in each ? readReport(each) : findRuns(each, settings)));
  const lastAt = Math.max(0, ...outcomes.map(({ at }) => at.getTime()));
  return standingBlockers(
    { runs, lastAt, own: [], resolutions: [], now: new Date(lastAt), ...more },
    settings,
  );
}

/** Returns the blocker that counts after these outcomes. */
export function blockerAfter(
  outcomes: readonly TestOutcome[],
  settings?: BlockerSettings,
): Blocker | undefined {
  return standingAfter({ outcomes: outcomes.map(toOutcome) }, settings)[0];
}

/** Returns the blocker that one result is, with the kind of tool that was found in it. */
export function blockerIn(result: CommandResult, rules?: readonly OwnRule[]) {
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
