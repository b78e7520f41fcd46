import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import { firstCommit, type Project, type Projects, type Sighting } from "../conversation/project.ts";
import { type GitFacts, hasCommit, readGitFacts, readRemote, readRootCommits } from "../work/git-facts.ts";

/** Where a command runs, in terms of projects. */
export interface Place {
  readonly root: string;
  readonly name: string;
  readonly branch: string | null;
  readonly git: GitFacts | undefined;
}

/** Returns what can be said of a folder without asking the store. */
export async function locatePlace(cwd: string): Promise<Place> {
  const git = await readGitFacts(cwd);
  const root = git?.root ?? (await realpath(cwd));
  return { root, name: basename(root) || root, branch: git?.branch ?? null, git };
}

/** Returns the project of a place if the store has seen it, and remembers nothing. */
export async function findProject(projects: Projects, place: Place): Promise<Project | undefined> {
  const quick = await knownByFolder(projects, place);
  if (quick !== undefined) return quick;
  return projects.known((await listIdentities(place)).identities);
}

/** Returns the project of a place and remembers everything that it is known by. */
export async function recogniseProject(projects: Projects, place: Place): Promise<Project> {
  return (await knownByFolder(projects, place)) ?? (await projects.recognise(await listIdentities(place)));
}

/**
 * Looks the project up by its git folder, which saves the walk over all history.
 *
 * The first commit must still be there: another repository may have taken the place of the one that was known.
 */
async function knownByFolder(projects: Projects, place: Place): Promise<Project | undefined> {
  if (place.git === undefined) return undefined;
  const project = await projects.known([folderIdentity(place.git)]);
  if (project === undefined || !project.id.startsWith(firstCommit)) return undefined;
  return (await hasCommit(place.root, project.id.slice(firstCommit.length))) ? project : undefined;
}

/** Gathers everything that a place is known by: its first commit, else its remote, else its git folder or path. */
export async function listIdentities(place: Place): Promise<Sighting> {
  const { git, root, name } = place;
  if (git === undefined) return { identities: [`path:${root}`], name };
  // The oldest commit of a shallow clone is not the project's first.
  const roots = git.isShallow ? [] : await readRootCommits(root);
  const remote = await readRemote(root);
  const strong = [
    ...roots.map((commit) => `${firstCommit}${commit}`),
    ...(remote === undefined ? [] : [`remote:${remote}`]),
  ];
  return { identities: [...strong, folderIdentity(git)], name };
}

function folderIdentity(git: GitFacts): string {
  return `folder:${git.commonFolder}`;
}
