import { ancestorsOf } from "../gates/registry/ancestors.ts";
import { listSessions, locateRegistry } from "../gates/registry/registry.ts";
import { AppError } from "../lib/app-error.ts";
import type { CommandContext } from "./command-context.ts";
import { clientFolderOf } from "./gate/client-folder-of.ts";
import { isUnderAgent } from "./is-under-agent.ts";

/** Throws where an agent runs the command: what it may not do, it must not allow itself. */
export async function requirePerson(context: CommandContext, reason: string): Promise<void> {
  if (!(await isRunByAgent(context))) return;
  throw new AppError(`${reason}, and an agent runs this command.`, {
    kind: "usage",
    code: "needs-person",
    hint: "Run the same command in a terminal of your own.",
  });
}

/** Tells whether an agent runs the command: the environment says so, or it comes from a process that runs a session. */
export async function isRunByAgent(context: CommandContext): Promise<boolean> {
  if (isUnderAgent(context)) return true;
  const { sessions } = await listSessions({ path: locateRegistry(clientFolderOf(context)) });
  // The number of a process on another machine, or in another container, says nothing here.
  const clients = new Set(sessions.flatMap(({ ppid, liveness }) => (liveness === "alive" ? [ppid] : [])));
  if (clients.size === 0) return false;
  return (await ancestorsOf(context.pid)).some(({ pid }) => clients.has(pid));
}
