import { clonedFrom, firstCommit, type Project, type Projects } from "../sessions/project.ts";
import { listIdentities, type Place } from "../workspace/recognise-project.ts";

/** What a project is known by on every machine: its first commit and its remote, and no folder. */
async function listShared(place: Place): Promise<readonly string[]> {
  const { identities } = await listIdentities(place);
  return identities.filter((each) => each.startsWith(firstCommit) || each.startsWith(clonedFrom));
}

/** Lets a store know a project by everything that other machines may know it by. */
export async function introduceProject(projects: Projects, place: Place, known: Project): Promise<Project> {
  const shared = await listShared(place);
  if (shared.length === 0) return known;
  return projects.recognise({ identities: [...new Set([known.id, ...shared])], name: known.name });
}

/**
 * Returns what another store calls the project of a place; undefined where it does not have it.
 *
 * The store of this machine remembers it: it may know the project by less, as from a shallow clone.
 */
export async function findShared(
  here: Projects,
  there: Projects,
  place: Place,
): Promise<Project | undefined> {
  const { identities, name } = await listIdentities(place);
  const found = await there.known(identities);
  if (found !== undefined && !identities.includes(found.id))
    await here.recognise({ identities: [found.id, ...identities], name });
  return found;
}
