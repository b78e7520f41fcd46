import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { GateDesk } from "./gate-desk.ts";
import { listSessions } from "./registry.ts";
import type { ListedSession } from "./session-key.ts";

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

/** Returns the work trees of a repository, by the folder that they share. One that cannot be read is left out. */
function listWorkTrees(commonFolder: string): readonly string[] {
  const main = basename(commonFolder) === ".git" ? [dirname(commonFolder)] : [];
  return [...main, ...listNames(join(commonFolder, "worktrees")).flatMap(readTree)];
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // Most repositories have one tree, and no such folder.
    return [];
  }
}

/** Each tree is named by the `.git` file in it. */
function readTree(folder: string): readonly string[] {
  try {
    return [dirname(readFileSync(join(folder, "gitdir"), "utf8").trimEnd())];
  } catch {
    // It is being made, or was left over.
    return [];
  }
}
