import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import { type GitFacts, hasCommit, readGitFacts, readRemote, readRootCommits } from "../git/git-facts.ts";
import { clonedFrom, firstCommit, type Project, type Projects, type Sighting } from "../sessions/project.ts";

/** Where a command runs, in terms of projects. */
export interface Place {
  /** The folder itself, without links in its path. */
  readonly cwd: string;
  /** The top of the repository, or the folder itself outside one. */
  readonly root: string;
  readonly name: string;
  readonly branch: string | null;
  readonly git: GitFacts | undefined;
}

/** Returns what can be said of a folder without asking the store. */
export async function locatePlace(cwd: string): Promise<Place> {
  const git = await readGitFacts(cwd);
  const real = await realpath(cwd);
  const root = git?.root ?? real;
  return { cwd: real, root, name: basename(root) || root, branch: git?.branch ?? null, git };
}

/** Returns the project of a place if the store has seen it, and remembers nothing. */
export async function findProject(projects: Projects, place: Place): Promise<Project | undefined> {
  const quick = await knownByFolder(projects, place);
  if (quick !== undefined) return quick;
  return projects.known((await sight(projects, place)).identities);
}

/** Returns the project of a place and remembers everything that it is known by. */
export async function recogniseProject(projects: Projects, place: Place): Promise<Project> {
  const quick = (await hasOutgrown(projects, place)) ? undefined : await knownByFolder(projects, place);
  return quick ?? projects.recognise(await sight(projects, place));
}

/** Tells whether a place is in a repository and was a project by its folder alone, which `recogniseProject` makes one. */
export async function hasOutgrown(projects: Projects, place: Place): Promise<boolean> {
  return (await listOutgrown(projects, place)).length > 0;
}

/**
 * Returns the projects that the top of a repository and the folder at hand were before there was a repository.
 *
 * Only one that is still known by just this folder counts: it has then moved nowhere and belongs to no other repository.
 */
async function listOutgrown(projects: Projects, { git, root, cwd }: Place): Promise<readonly string[]> {
  if (git === undefined) return [];
  const found: string[] = [];
  for (const path of new Set([root, cwd].map(pathIdentity))) {
    if ((await projects.known([path]))?.id === path) found.push(path);
  }
  return found;
}

/**
 * Looks the project up by its git folder, which saves the walk over all history.
 *
 * The first commit must still be there: another repository may have taken the place of the one that was known.
 */
async function knownByFolder(projects: Projects, place: Place): Promise<Project | undefined> {
  if (place.git === undefined) return undefined;
  const project = await projects.known([folderIdentity(place.git.commonFolder)]);
  if (project === undefined || !project.id.startsWith(firstCommit)) return undefined;
  return (await hasCommit(place.git, project.id.slice(firstCommit.length))) ? project : undefined;
}

/** Gathers everything that a place is known by, and what it was known by before it was a repository. */
async function sight(projects: Projects, place: Place): Promise<Sighting> {
  const { identities, name } = await listIdentities(place);
  return { identities: [...identities, ...(await listOutgrown(projects, place))], name };
}

/** Gathers everything that a place has to be known by: its first commit, else its remote, else its git folder or path. */
export async function listIdentities(place: Place): Promise<Sighting> {
  const { git, root, name } = place;
  if (git === undefined) return { identities: [pathIdentity(root)], name };
  // The oldest commit of a shallow clone is not the project's first.
  const roots = git.isShallow ? [] : await readRootCommits(git);
  const remote = await readRemote(git);
  const strong = [
    ...roots.map((commit) => `${firstCommit}${commit}`),
    ...(remote === undefined ? [] : [`${clonedFrom}${remote}`]),
  ];
  return { identities: [...strong, folderIdentity(git.commonFolder)], name };
}

/** Returns what a repository is known by that has no commit yet: its git folder. */
export function folderIdentity(commonFolder: string): string {
  return `folder:${commonFolder}`;
}

/** Returns what a folder outside git is known by. */
export function pathIdentity(path: string): string {
  return `path:${path}`;
}
