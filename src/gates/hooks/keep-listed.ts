import { locatePlace } from "../../workspace/recognise-project.ts";
import type { WireHook } from "../answer-hook.ts";
import { locateRegistry, registerSession, unregisterSession } from "../registry.ts";
import type { ClientSession } from "./client-session.ts";

/** Takes a session that meets no gates into the list of those that live, or out of it. */
export async function keepListed(client: ClientSession, { hook_event_name: event }: WireHook): Promise<void> {
  const { cwd, clientFolder, clock, session, tell } = client;
  if (session === "") return;
  const registry = { path: locateRegistry(clientFolder), clock };
  const change = event === "SessionStart" ? begin : () => unregisterSession(registry, session);
  (await change()).problems.forEach(tell);

  async function begin() {
    const { root, branch } = await locatePlace(cwd);
    const { pid, client: ppid } = client.process;
    return registerSession(registry, { id: session, pid, ppid, projectDir: root, branch });
  }
}
