import { clip } from "../../lib/clip.ts";
import type { Goal, StandingFailure } from "../../outcomes/checks.ts";
import type { CheckSettings } from "../../outcomes/find-runs.ts";
import {
  type Blocker,
  type BlockerType,
  blockerTypes,
  type Severity,
  severities,
  severityOf,
} from "../blocker.ts";
import { type RecoveryAgents, recoveryAgentFor } from "../recovery-agent.ts";

/** What a user has set about blockers. */
export interface BlockerSettings extends CheckSettings {
  readonly agents?: RecoveryAgents | undefined;
  /** How often recovery may be tried; three times unless given. */
  readonly mostAttempts?: number | undefined;
}

interface BlockerKind {
  readonly type: BlockerType;
  readonly headline: string;
}

/** The type of blocker that a failed goal is. `design_issue` and `other` are only added by hand. */
const kinds: Readonly<Record<Goal, BlockerKind>> = {
  build: { type: "build_error", headline: "The build failed" },
  test: { type: "test_failure", headline: "Tests failed" },
  lint: { type: "review_blocked", headline: "A linter failed" },
  install: { type: "dependency", headline: "A dependency is missing" },
  commit: { type: "review_blocked", headline: "The commit was refused" },
  merge: { type: "merge_conflict", headline: "Changes are in conflict" },
  ci: { type: "ci_failure", headline: "A run of CI failed" },
  review: { type: "review_blocked", headline: "A review asks for changes" },
  decision: { type: "decision_required", headline: "A decision is needed" },
};

/** Returns the type of blocker that a failure is: a refused commit is what the check found that refused it. */
export function blockerTypeOf({ goal, failure }: Pick<StandingFailure, "goal" | "failure">): BlockerType {
  const own = blockerTypes.find((type) => type === failure.type);
  return own ?? kinds[goal === "commit" ? failure.goal : goal].type;
}

/** A commit that was refused once is most often made in the next attempt. */
export function isBlocking({ goal, failures }: StandingFailure): boolean {
  return goal !== "commit" || failures > 1;
}

const [mostOfPattern, mostOfCommand] = [200, 80];

/** Makes a blocker of a failure that stands at a moment; recovery has not been tried. */
export function toBlocker(standing: StandingFailure, settings: BlockerSettings, now: number): Blocker {
  const { goal, command, line, failure, isStale } = standing;
  const type = blockerTypeOf(standing);
  const errorPattern = clip(
    failure.tool === "agent" ? line.replace(/^.*? ended (\w+):.*$/, "status: $1") : line,
    mostOfPattern,
  );
  const where = `${kinds[goal].headline} in \`${clip(command.replaceAll("`", "'"), mostOfCommand)}\``;
  const described = errorPattern === "" ? `${where}.` : `${where}: ${errorPattern}`;
  return {
    type,
    severity: severityAt(now, standing, type),
    description: failure.tool === "agent" ? line : described,
    ...(errorPattern !== "" && { errorPattern }),
    resolution: failure.resolution,
    ...newBlocker({ type }, new Date(standing.at), settings),
    isAutoDetected: true,
    ...(isStale && { isStale }),
  };
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** A failure weighs one step less once newer work came after it, and another when it is more than a week old. */
function severityAt(now: number, { failure, isStale, at }: StandingFailure, type: BlockerType): Severity {
  const severity = severities.find((each) => each === failure.severity) ?? severityOf(type);
  const steps = !isStale ? 0 : now - at > weekMs ? 2 : 1;
  return severities[severities.indexOf(severity) - steps] ?? "low";
}

const usualMostAttempts = 3;

/** Returns what every blocker begins with. */
export function newBlocker({ type }: Pick<Blocker, "type">, detectedAt: Date, settings: BlockerSettings) {
  const recoveryAgent = recoveryAgentFor(type, settings.agents);
  return {
    detectedAt,
    ...(recoveryAgent === undefined ? {} : { recoveryAgent }),
    recoveryAttempted: 0,
    maxRecoveryAttempts: settings.mostAttempts ?? usualMostAttempts,
  };
}
