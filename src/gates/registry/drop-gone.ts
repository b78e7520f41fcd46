import type { RegistryPlace } from "../registry.ts";
import { listSessions, unregisterSession } from "../registry.ts";

/** Takes the sessions out of the registry whose clients are gone; returns how many there were. */
export async function dropGone(place: RegistryPlace): Promise<number> {
  const gone = (await listSessions(place)).sessions.filter(({ liveness }) => liveness === "gone");
  const [first] = gone;
  // Any change drops all that are gone.
  const failure = first && (await unregisterSession(place, first.fullId ?? first.key)).failure;
  if (failure !== undefined) throw failure;
  return gone.length;
}
