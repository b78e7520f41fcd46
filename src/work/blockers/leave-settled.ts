import type { Blocker } from "../blocker.ts";
import type { Resolution } from "../work-record.ts";
import type { Outcome } from "./newest-outcomes.ts";
import type { OwnRun } from "./own-run.ts";
import { blockersOf } from "./own-runs.ts";
import type { BlockerSettings } from "./raise-blocker.ts";

/** What was recorded, and what we ran ourselves. */
export interface Recorded {
  readonly outcomes: readonly Outcome[];
  readonly runs: readonly OwnRun[];
}

/** Leaves out what a person has settled: all that the same command, check or agent had said until then. */
export function leaveSettled(
  recorded: Recorded,
  resolutions: readonly Resolution[],
  settings: BlockerSettings,
): Recorded {
  return resolutions.reduce((left, resolution) => leaveOne(left, resolution, settings), recorded);
}

function leaveOne(
  { outcomes, runs }: Recorded,
  { blocker, at }: Resolution,
  settings: BlockerSettings,
): Recorded {
  const isBefore = (each: { readonly at: Date }) => each.at <= at;
  const settledOutcomes = outcomes.filter(
    (each) => isBefore(each) && blockersOf([], [each], settings).some((found) => isSame(found, blocker)),
  );
  const settledRuns = runs.filter(
    (each) => isBefore(each) && blockersOf([each], [], settings).some((found) => isSame(found, blocker)),
  );
  const sources = new Set([...settledOutcomes.map(sourceOf), ...settledRuns.map(({ command }) => command)]);
  return {
    outcomes: outcomes.filter((each) => !isBefore(each) || !sources.has(sourceOf(each))),
    runs: runs.filter((each) => !isBefore(each) || !sources.has(each.command)),
  };
}

function sourceOf(outcome: Outcome): string {
  return "agent" in outcome ? `agent ${outcome.agent}` : outcome.command;
}

/** A blocker that stayed keeps the moment of its first outcome and has the words of the newest. */
function isSame(found: Blocker, { type, description, detectedAt }: Blocker): boolean {
  return (
    found.type === type &&
    (found.description === description || found.detectedAt.getTime() === detectedAt.getTime())
  );
}
