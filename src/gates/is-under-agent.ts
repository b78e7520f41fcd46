import type { Environment } from "./ancestors.ts";
import { isSkipped } from "./may-have-gates.ts";

/** What agents set for the commands that they run, and what we set for those of a session. */
const signs =
  `CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID CARRYON_SESSION CODEX_SANDBOX CODEX_THREAD_ID GEMINI_CLI OPENCODE
   CURSOR_AGENT AGENT`.split(/\s+/);

/** Tells whether an environment says that an agent runs the program. */
export function isUnderAgent({
  env,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
}): boolean {
  // No terminal has this one empty: somebody has emptied it.
  if (env.CLAUDECODE === "") return true;
  return signs.some((name) => (env[name] ?? "") !== "" && env[name] !== "0");
}

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
