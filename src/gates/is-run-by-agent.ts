import { clientFolderOf } from "../clients/claude-code/locate-client.ts";
import type { Caller } from "../workspace/workspace.ts";
import { ancestorsOf } from "./ancestors.ts";
import { isUnderAgent } from "./is-under-agent.ts";
import { listSessions, locateRegistry } from "./registry.ts";

/** Tells whether an agent runs the command: the environment says so, or it comes from a process that runs a session. */
export async function isRunByAgent(caller: Caller): Promise<boolean> {
  if (isUnderAgent(caller)) return true;
  const clients = new Set((await listLiving(caller)).map(({ ppid }) => ppid));
  if (clients.size === 0) return false;
  return (await ancestorsOf(caller.pid)).some(({ pid }) => clients.has(pid));
}

/** Lists the sessions that live. The number of a process on another machine, or in another container, says nothing here. */
export async function listLiving(caller: Caller) {
  const { sessions } = await listSessions({ path: locateRegistry(clientFolderOf(caller)) });
  return sessions.filter(({ liveness }) => liveness === "alive");
}
