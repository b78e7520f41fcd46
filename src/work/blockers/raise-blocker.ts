import type { Blocker, Detection } from "../blocker.ts";
import { type RecoveryAgents, recoveryAgentFor } from "../recovery-agent.ts";
import type { Rule } from "./rule.ts";

/** What a user has set about blockers. */
export interface BlockerSettings {
  /** Rules of the user's own, which come before all others. */
  readonly rules?: readonly Rule[] | undefined;
  readonly agents?: RecoveryAgents | undefined;
  /** How often recovery may be tried; three times unless given. */
  readonly mostAttempts?: number | undefined;
}

const usualMostAttempts = 3;

/** Makes a blocker of what was detected at a moment; nobody has tried to clear it yet. */
export function raiseBlocker(
  { tool: _, ...seen }: Detection,
  detectedAt: Date,
  settings: BlockerSettings,
): Blocker {
  return { ...seen, ...newBlocker(seen, detectedAt, settings), isAutoDetected: true };
}

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
