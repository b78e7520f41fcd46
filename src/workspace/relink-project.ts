import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { locateRoot } from "../git/locate-root.ts";
import { conflictError, usageError } from "../lib/app-error.ts";
import { listAll } from "../sessions/conversation-log.ts";
import type { Project, Projects } from "../sessions/project.ts";
import type { Session } from "../sessions/session.ts";
import type { Store } from "../storage/open-store.ts";
import { contradicts } from "../storage/sql-projects.ts";
import { folderIdentity, listIdentities, type Place, pathIdentity } from "./recognise-project.ts";

/**
 * Makes the project that was in a folder the one of a place; returns it.
 *
 * The folder is gone, or is in the repository of the place: then it was known in another way before, and what tells two
 * projects apart, their first commits, does not count where nothing was recorded anywhere else.
 */
export async function relinkProject(
  { projects, log }: Pick<Store, "projects" | "log">,
  place: Place,
  told: string,
): Promise<Project> {
  const { path: old, isThere } = await resolvePath(told);
  const isHere = isThere && place.git !== undefined && isBelow(place.root, old);
  if (isThere && !isHere)
    throw usageError("folder-still-there", `${old} is still there, so that its project has not moved.`, {
      hint: "Give the folder that the project was in before.",
    });
  const former = [
    folderIdentity(join(old, ".git")),
    pathIdentity(old),
    ...(await listBelow(projects, place, old)),
  ];
  const sessions = isHere ? await listSessions(log, place, old) : [];
  const known = await projects.findEach(former);
  const found = [...[...known.values()].map(({ id }) => id), ...sessions.map(({ project }) => project)];
  if (found.length === 0)
    throw usageError("nothing-recorded-there", `Nothing was recorded in ${old}.`, {
      hint: "Give the whole path of the folder; `carryon sessions --all --json` shows where sessions began.",
    });
  const { identities, name } = await listIdentities(place);
  const others = [...new Set(found)].filter((id) => contradicts(id, identities));
  for (const id of others) {
    if (!isHere || (await isRecordedOutside(log, id, old)))
      throw conflictError(
        "another-project",
        `What was in ${old} is another project: its first commit is not in this one.`,
        { hint: "Change to the folder that the project is in now." },
      );
  }
  return projects.recognise({ identities: [...identities, ...others, ...former], name });
}

/** Returns the sessions in a folder and below it that would be of the repository of the place if they began now. */
async function listSessions(log: Store["log"], place: Place, old: string): Promise<readonly Session[]> {
  const found: Session[] = [];
  for await (const session of listAll(log)) {
    const root = isBelow(old, session.cwd) ? await locateRootIfThere(session.cwd) : undefined;
    if (root === place.root) found.push(session);
  }
  return found;
}

/** Returns what folders outside git below a folder are known by, but for those that are in another repository now. */
async function listBelow(projects: Projects, place: Place, old: string): Promise<readonly string[]> {
  const begin = pathIdentity(join(old, sep));
  const ids = (await projects.list()).map(({ id }) => id).filter((id) => id.startsWith(begin));
  const roots = await Promise.all(ids.map((id) => locateRootIfThere(id.slice(pathIdentity("").length))));
  return ids.filter((_, index) => roots[index] === undefined || roots[index] === place.root);
}

function locateRootIfThere(path: string): Promise<string | undefined> {
  return locateRoot(path).catch(() => undefined);
}

async function isRecordedOutside(
  log: Store["log"],
  project: Project["id"],
  folder: string,
): Promise<boolean> {
  for await (const { cwd } of listAll(log, { project })) if (!isBelow(folder, cwd)) return true;
  return false;
}

/** Returns a path as projects are known by it, without links; of one that is gone, as far as it is there. */
async function resolvePath(path: string): Promise<{ path: string; isThere: boolean }> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return { path: real, isThere: true };
  if (dirname(path) === path) return { path, isThere: false };
  return { path: join((await resolvePath(dirname(path))).path, basename(path)), isThere: false };
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}
