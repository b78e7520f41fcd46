import { realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { ownerOfWorktree } from "../clients/claude-code/locate.ts";
import type { Project, Projects } from "../sessions/project.ts";
import {
  folderIdentity,
  locatePlace,
  pathIdentity,
  recogniseProject,
} from "../workspace/recognise-project.ts";

/** Returns the project of a folder that somebody once worked in; one that is gone is known by its path. */
export async function recogniseFolder(projects: Projects, cwd: string): Promise<Project> {
  if (await isThere(cwd)) return recogniseProject(projects, await locatePlace(cwd));
  const known = await findGone(projects, cwd);
  if (known !== undefined) return known;
  // The client removes its work trees when their work is done.
  const owner = ownerOfWorktree(cwd);
  if (owner !== undefined) return recogniseFolder(projects, owner);
  return projects.recognise({ identities: [pathIdentity(cwd)], name: basename(cwd) || cwd });
}

/** Returns the project that was in a folder that is gone, if the store has seen it there. */
export async function findGone(projects: Projects, cwd: string): Promise<Project | undefined> {
  return projects.known([folderIdentity(join(cwd, ".git")), pathIdentity(cwd)]);
}

/** A folder that cannot be looked at, for whatever reason, is as good as gone. */
function isThere(cwd: string): Promise<boolean> {
  return realpath(cwd).then(
    () => true,
    () => false,
  );
}
