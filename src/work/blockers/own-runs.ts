import { type Blocker, type BlockerType, type Detection, severityOf } from "../blocker.ts";
import { detectBlocker } from "./detect-blocker.ts";
import { newestOutcomes, type Outcome } from "./newest-outcomes.ts";
import type { OwnCheck, OwnRun } from "./own-run.ts";
import { type BlockerSettings, raiseBlocker } from "./raise-blocker.ts";

/** Returns the blockers that stand after our own runs and what was recorded: of each check the newest run counts. */
export function blockersOf(
  runs: readonly OwnRun[],
  recorded: readonly Outcome[],
  settings: BlockerSettings,
): readonly Blocker[] {
  const newest = new Map(runs.map((run) => [run.check, run]));
  const ofChecks = [...newest.values()]
    .filter((run) => run.exitCode !== 0 && !recorded.some((outcome) => isLaterSuccess(outcome, run)))
    .map((run) => toBlocker(run, settings));
  // A run of ours that went well also ends what was recorded of the same command.
  const good = runs.filter(({ exitCode }) => exitCode === 0);
  const ofLog = newestOutcomes([...recorded, ...good], settings);
  return ofLog === undefined ? ofChecks : [...ofChecks, ofLog];
}

function isLaterSuccess(outcome: Outcome, run: OwnRun): boolean {
  if ("agent" in outcome || outcome.at <= run.at || outcome.command !== run.command) return false;
  return outcome.exitCode === undefined ? outcome.failed === false : outcome.exitCode === 0;
}

const typeOf: Readonly<Record<OwnCheck, BlockerType>> = {
  build: "build_error",
  test: "test_failure",
  documents: "other",
  ci: "ci_failure",
};

function toBlocker(run: OwnRun, settings: BlockerSettings): Blocker {
  const seen = run.check === "documents" ? undefined : detectBlocker(run, settings.rules);
  return raiseBlocker(seen ?? toDetection(run), run.at, settings);
}

/** What a check says that no rule knows the words of. */
function toDetection({ check, command, output }: OwnRun): Detection {
  const type = typeOf[check];
  const last = output.trim().split("\n").at(-1)?.trim().slice(0, 200) ?? "";
  const words = last === "" ? "" : `: ${last}`;
  return {
    type,
    severity: check === "documents" ? "low" : severityOf(type),
    description: check === "documents" ? last : `The check \`${command.slice(0, 80)}\` failed${words}`,
    ...(last !== "" && { errorPattern: last }),
    resolution:
      check === "documents"
        ? "Say there what has changed, and save again."
        : "Read the output of the command, fix what it names, and run it again.",
    tool: check,
  };
}
