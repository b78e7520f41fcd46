import { resolve } from "node:path";
import { listSessions } from "./registry.ts";
import { normalizeSessionId } from "./session-key.ts";

/** Where a session works. */
export interface SessionPlace {
  /** The id of the session as its client says it. */
  readonly session: string;
  readonly project: string;
  readonly branch: string;
}

/** Returns the keys of the other sessions that live on the same project and branch. */
export async function findOthers(registry: string, place: SessionPlace): Promise<readonly string[]> {
  const { sessions } = await listSessions({ path: registry });
  const own = normalizeSessionId(place.session);
  return sessions
    .filter(({ liveness, branch, projectDir }) => {
      return (
        liveness === "alive" && branch === place.branch && resolve(projectDir) === resolve(place.project)
      );
    })
    .filter(({ key, fullId }) => (fullId === null ? key !== own : fullId !== place.session))
    .map(({ key }) => key);
}
