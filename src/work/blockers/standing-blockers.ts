import {
  type Checks,
  followCommand,
  noChecks,
  type RanCommand,
  settleFailures,
  standingFailures,
} from "../../outcomes/checks.ts";
import { type AgentReport, followReport } from "../../outcomes/workflow-status.ts";
import type { Blocker } from "../blocker.ts";
import type { Resolution } from "../work-record.ts";
import type { OwnRun } from "./own-run.ts";
import { type BlockerSettings, blockerTypeOf, isBlocking, toBlocker } from "./to-blocker.ts";

/** The result of a command or the report of an agent. */
export type Outcome = RanCommand | AgentReport;

/** What was recorded, what Carryon ran itself, and what somebody called resolved. */
export interface Recorded {
  readonly outcomes: readonly Outcome[];
  readonly runs?: readonly OwnRun[];
  readonly resolutions?: readonly Resolution[];
}

/**
 * Returns the results of checks after what was recorded.
 *
 * A later pass ends the failures that it covers. What somebody resolved takes with it everything of its type until then.
 */
export function followRecorded(
  { outcomes, runs = [], resolutions = [] }: Recorded,
  settings: BlockerSettings = {},
): Checks {
  const steps: readonly { readonly at: Date; readonly follow: (checks: Checks) => Checks }[] = [
    ...outcomes.map((outcome) => ({
      at: outcome.at,
      follow: (checks: Checks) =>
        "agent" in outcome ? followReport(checks, outcome) : followCommand(checks, outcome, settings),
    })),
    ...runs.map((run) => ({ at: run.at, follow: (checks: Checks) => followOwn(checks, run, settings) })),
    ...resolutions.map(({ at, blocker }) => ({
      at,
      follow: (checks: Checks) => settleFailures(checks, (each) => blockerTypeOf(each) === blocker.type),
    })),
  ];
  return steps
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .reduce((before, { follow }) => follow(before), noChecks);
}

/** Returns the blockers that stand after what was recorded, the heaviest first. */
export function standingBlockers(recorded: Recorded, settings: BlockerSettings = {}): readonly Blocker[] {
  return standingFailures(followRecorded(recorded, settings))
    .filter(isBlocking)
    .map((failure) => toBlocker(failure, settings));
}

/** Whether the documents mention a change is no matter of the code, and stops nothing. */
function followOwn(checks: Checks, { check, ...run }: OwnRun, settings: BlockerSettings): Checks {
  return check === "documents" ? checks : followCommand(checks, { ...run, approvedFor: check }, settings);
}
