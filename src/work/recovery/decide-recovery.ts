import type { Command } from "../../lib/command.ts";
import { type Blocker, type BlockerType, blockerKinds } from "../blocker.ts";

/** What may be run: a command; nothing, because nobody approved one; or nothing, because it is not the one approved. */
export type Approved =
  | { readonly type: "approved"; readonly command: Command }
  | { readonly type: "none" }
  | { readonly type: "altered"; readonly hint: string };

/** What decides how a blocker can be cleared, besides the blocker itself. */
export interface RecoveryMeans {
  readonly approved: Approved;
  /** The agents that can clear it, in the order in which they are called; as the user has set it, or as usual. */
  readonly agents: readonly string[];
  /** Whether who asks is an agent, which can call others. */
  readonly isUnderAgent: boolean;
}

/** What is to be done about a blocker. */
export type RecoveryStep =
  | { readonly type: "run"; readonly command: Command }
  | { readonly type: "call-agent"; readonly agents: readonly string[]; readonly instruction: string }
  | { readonly type: "by-hand"; readonly resolution: string }
  | { readonly type: "given-up"; readonly attempts: number }
  | { readonly type: "not-allowed"; readonly hint: string };

/**
 * Decides what is to be done about a blocker. Pure.
 *
 * Only a blocker that was detected is recovered without a person, and only as often as it may be tried.
 */
export function decideRecovery(blocker: Blocker, means: RecoveryMeans): RecoveryStep {
  const { type, recoveryAttempted: attempts, maxRecoveryAttempts } = blocker;
  const { approved, agents, isUnderAgent } = means;
  if (!blocker.isAutoDetected) return byHand(blocker);
  if (attempts >= maxRecoveryAttempts) return { type: "given-up", attempts };
  if (approved.type === "approved") return { type: "run", command: approved.command };
  if (approved.type === "altered") return { type: "not-allowed", hint: approved.hint };
  if (agents.length === 0) return byHand(blocker);
  if (isUnderAgent) return { type: "call-agent", agents, instruction: instructionFor(type, agents) };
  const hint = `Approve a command that clears it with \`carryon recovery allow ${type} -- COMMAND\``;
  return { type: "not-allowed", hint };
}

/** The blocker itself is not quoted: what was recorded is no instruction. */
function instructionFor(type: BlockerType, agents: readonly string[]): string {
  const called = agents.map((agent) => `\`${agent}\``).join(", then ");
  return `Call the agent ${called} to clear the ${type} blocker. When it is gone, run \`carryon blocker resolve\`; otherwise go on with nothing else, and say what is left.`;
}

function byHand({ type, resolution }: Blocker): RecoveryStep {
  return { type: "by-hand", resolution: resolution ?? blockerKinds[type].resolution };
}
