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
  /** The moment at which ages are told; by default that of the last command. */
  readonly now?: Date;
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
    ...leaveOutRepeated(outcomes).map((outcome) => ({
      at: outcome.at,
      follow: (checks: Checks) =>
        "agent" in outcome ? followReport(checks, outcome) : followCommand(checks, outcome, settings),
    })),
    ...runs.map((run) => ({ at: run.at, follow: (checks: Checks) => followOwn(checks, run, settings) })),
    ...resolutions.map(({ at, blocker: { type, detectedAt } }) => ({
      at,
      // An older version may have given the same failure another type.
      follow: (checks: Checks) =>
        settleFailures(checks, (each) => blockerTypeOf(each) === type || each.at === detectedAt.getTime()),
    })),
  ];
  return steps
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .reduce((before, { follow }) => follow(before), noChecks);
}

/** As many checks make a failure one of older work, so that further runs before these change nothing. */
const mostRuns = 4;

/** Leaves out the older runs of a command that was run again and again: each takes as long to judge as the last. */
function leaveOutRepeated(outcomes: readonly Outcome[]): readonly Outcome[] {
  const runs = new Map<string, number>();
  return outcomes
    .toReversed()
    .filter((outcome) => {
      if ("agent" in outcome) return true;
      const key = `${outcome.cwd ?? ""} ${outcome.command}`;
      const later = runs.get(key) ?? 0;
      runs.set(key, later + 1);
      return later < mostRuns;
    })
    .toReversed();
}

/** Returns the blockers that stand after what was recorded, the heaviest first. */
export function standingBlockers(recorded: Recorded, settings: BlockerSettings = {}): readonly Blocker[] {
  const checks = followRecorded(recorded, settings);
  const now = recorded.now?.getTime() ?? checks.lastAt;
  return standingFailures(checks)
    .filter(isBlocking)
    .map((failure) => toBlocker(failure, settings, now));
}

/** Whether the documents mention a change is no matter of the code, and stops nothing. */
function followOwn(checks: Checks, { check, ...run }: OwnRun, settings: BlockerSettings): Checks {
  return check === "documents" ? checks : followCommand(checks, { ...run, approvedFor: check }, settings);
}
