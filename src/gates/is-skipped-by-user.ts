import type { Environment } from "./client-environment.ts";
import { isUnderAgent } from "./is-under-agent.ts";
import { isSkipped } from "./may-have-gates.ts";

/** A client, by what its hooks and commands are given and by what it was started with. */
interface StartedClient {
  readonly env: Environment;
  readonly startedWith?: (() => Promise<Environment | undefined>) | undefined;
}

/**
 * Tells whether the user has turned all gates off for a client: before it was started, and not as an agent. Files of
 * settings also set variables, and some of them come with a repository. Where nobody can tell, gates stay.
 */
export async function isSkippedByUser({ env, startedWith }: StartedClient): Promise<boolean> {
  if (!isSkipped(env)) return false;
  const started = await startedWith?.();
  return started !== undefined && isSkipped(started) && !isUnderAgent({ env: started });
}
