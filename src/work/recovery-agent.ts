import type { BlockerType } from "./blocker.ts";

/** The agents that a user has named for some types of blockers, in the order in which they are called. */
export type RecoveryAgents = Readonly<Partial<Record<BlockerType, readonly string[]>>>;

/** Returns the agents that can clear a blocker, in the order in which they are called; none where a person must. */
export function recoveryAgentsFor(type: BlockerType, named: RecoveryAgents = {}): readonly string[] {
  return named[type] ?? usualAgents(type);
}

function usualAgents(type: BlockerType): readonly string[] {
  switch (type) {
    case "build_error":
    case "dependency":
      return ["cpp-builder"];
    case "test_failure":
      return ["tester", "code-editor"];
    case "design_issue":
      return ["architect"];
    case "review_blocked":
      return ["code-editor"];
    case "ci_failure":
      return ["devops"];
    case "merge_conflict":
    case "decision_required":
    case "other":
      return [];
  }
}

/** Returns the agent that is called first to clear a blocker, if one can. */
export function recoveryAgentFor(type: BlockerType, named?: RecoveryAgents): string | undefined {
  return recoveryAgentsFor(type, named)[0];
}
