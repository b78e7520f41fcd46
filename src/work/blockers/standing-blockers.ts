import { type Checks, followRun, noChecks, settleFailures, standingFailures } from "../../outcomes/checks.ts";
import { type CheckRun, findRuns } from "../../outcomes/find-runs.ts";
import type { Blocker } from "../blocker.ts";
import type { Resolution } from "../work-record.ts";
import type { CollectedRuns } from "./collect-runs.ts";
import type { OwnRun } from "./own-run.ts";
import { type BlockerSettings, blockerTypeOf, isBlocking, toBlocker } from "./to-blocker.ts";

/** What was recorded, what Carryon ran itself, and what somebody called resolved. */
export interface Recorded extends CollectedRuns {
  readonly own: readonly OwnRun[];
  readonly resolutions: readonly Resolution[];
  /** The moment at which ages are told. */
  readonly now: Date;
}

/**
 * Returns the blockers that stand after what was recorded, the heaviest first.
 *
 * A later pass ends the failures that it covers. What somebody resolved takes with it everything of its type until then.
 */
export function standingBlockers(
  { runs, lastAt, own, resolutions, now }: Recorded,
  settings: BlockerSettings,
): readonly Blocker[] {
  // A fork has what its origin has.
  const known = new Map(runs.map((run) => [`${run.entry} ${run.command}`, run]));
  const all = [...known.values(), ...own.flatMap((run) => toRuns(run, settings))];
  const steps: readonly { readonly at: number; readonly follow: (checks: Checks) => Checks }[] = [
    ...all.map((run) => ({ at: run.at, follow: (checks: Checks) => followRun(checks, run) })),
    ...resolutions.map(({ at, blocker: { type, detectedAt } }) => ({
      at: at.getTime(),
      // An older version may have given the same failure another type.
      follow: (checks: Checks) =>
        settleFailures(checks, (each) => blockerTypeOf(each) === type || each.at === detectedAt.getTime()),
    })),
  ];
  const checks = steps
    .toSorted((one, other) => one.at - other.at)
    .reduce((before, { follow }) => follow(before), { ...noChecks, lastAt });
  return standingFailures(checks)
    .filter(isBlocking)
    .map((failure) => toBlocker(failure, settings, now.getTime()));
}

/** Whether the documents mention a change is no matter of the code, and stops nothing. */
function toRuns({ check, ...run }: OwnRun, settings: BlockerSettings): readonly CheckRun[] {
  return check === "documents" ? [] : findRuns({ ...run, approvedFor: check }, settings);
}
