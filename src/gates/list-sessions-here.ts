import { resolve } from "node:path";
import type { GateDesk } from "./gate-desk.ts";
import { listWorkTrees } from "./registry/list-work-trees.ts";
import { listSessions } from "./registry.ts";
import type { ListedSession } from "./session-entry.ts";

type Where = Pick<GateDesk, "root" | "commonFolder" | "registry">;

/** Returns the sessions that live in a repository, in whichever of its work trees, as far as that can be seen from here. */
export async function listSessionsHere(desk: Where): Promise<readonly ListedSession[]> {
  const { sessions } = await listSessions({ path: desk.registry });
  const trees = new Set(listTreesOf(desk).map((tree) => resolve(tree)));
  return sessions.filter(({ liveness, projectDir }) => liveness !== "gone" && trees.has(resolve(projectDir)));
}

/** Returns the work trees of a repository; outside one, the folder itself. */
export function listTreesOf({ root, commonFolder }: Pick<Where, "root" | "commonFolder">): readonly string[] {
  return [root, ...(commonFolder === undefined ? [] : listWorkTrees(commonFolder))];
}
