import { repositoryVariables } from "../lib/repository-variables.ts";
import type { GitRun } from "./git-run.ts";

/** How long git may take: somebody waits for the tool that is asked about. */
const patienceMs = 10_000;

/** Returns how git is run in a work tree: whatever the variables say of other repositories does not count. */
export function gitIn(root: string, env: GitRun["env"]): GitRun {
  const rest = Object.entries(env).filter(([name]) => !repositoryVariables.includes(name));
  return { cwd: root, env: Object.fromEntries(rest), patienceMs };
}

/** Flags under which git does not ask a server for what a partial clone has not fetched. */
export const offline: readonly string[] = ["-c", "protocol.allow=never"];

/** Returns the last line of what git said against it. */
export function lastLine(said: string): string {
  return said.trim().split("\n").at(-1) ?? "";
}
