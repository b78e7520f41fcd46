import { access } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "../lib/app-error.ts";
import { type BlockerType, blockerKinds } from "./blocker.ts";

/** The agents that a user has named for some types of blockers, in the order in which they are called. */
export type RecoveryAgents = Readonly<Partial<Record<BlockerType, readonly string[]>>>;

/** Returns the agents that can clear a blocker, in the order in which they are called; none where a person must. */
export function recoveryAgentsFor(type: BlockerType, named: RecoveryAgents = {}): readonly string[] {
  return named[type] ?? blockerKinds[type].agents;
}

/** Returns the agent that is called first to clear a blocker, if one can. */
export function recoveryAgentFor(type: BlockerType, named?: RecoveryAgents): string | undefined {
  return recoveryAgentsFor(type, named)[0];
}

/** Where Claude Code looks for agents. */
interface AgentPlaces {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the agents that can clear a blocker here: those that the user has named, and of the usual ones those that the
 * project or the user has.
 */
export async function findRecoveryAgents(
  type: BlockerType,
  named: RecoveryAgents | undefined,
  { root, env }: AgentPlaces,
): Promise<readonly string[]> {
  const own = named?.[type];
  if (own !== undefined) return own;
  const home = env.CLAUDE_CONFIG_DIR ?? (env.HOME === undefined ? undefined : join(env.HOME, ".claude"));
  const folders = [join(root, ".claude"), ...(home === undefined ? [] : [home])];
  const found = await Promise.all(
    blockerKinds[type].agents.map(async (name) => {
      const files = folders.map((folder) => join(folder, "agents", `${name}.md`));
      const there = await Promise.all(files.map((file) => unlessGone(access(file).then(() => true))));
      return there.includes(true) ? [name] : [];
    }),
  );
  return found.flat();
}
