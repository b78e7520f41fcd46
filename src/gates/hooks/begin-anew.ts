import { locatePlace } from "../../workspace/recognise-project.ts";
import type { WireHook } from "../answer-hook.ts";
import type { ClientSession } from "../gate-site.ts";
import { releaseSession, sweepHeld } from "../hold-desk.ts";
import { isUnderAgent } from "../is-under-agent.ts";

import { locateRegistry, registerSession, unregisterSession } from "../registry.ts";

/**
 * Lets a session that somebody begins, or takes up again, go by what the files say now. One that an agent takes up again
 * goes on with what it was held to: it may be its own.
 */
export async function beginAnew({ home, session, clock, startedWith }: ClientSession): Promise<void> {
  const started = await startedWith?.();
  if (started === undefined || !isUnderAgent({ env: started })) releaseSession({ home, session });
  sweepHeld(home, clock.now());
}

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
