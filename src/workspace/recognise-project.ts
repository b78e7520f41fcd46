import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import { type GitFacts, hasCommit, readGitFacts, readRemote, readRootCommits } from "../git/git-facts.ts";
import { folderIsGone, isSystemError } from "../lib/app-error.ts";
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
  /**
   * What a repository is known by without a walk over all its history: its git folder, and the folders that may have
   * been projects before it. None outside a repository.
   */
  readonly folders: readonly string[];
}

/** Returns what can be said of a folder without asking the store. */
export async function locatePlace(cwd: string): Promise<Place> {
  const real = await realpath(cwd).catch((error: unknown) => {
    throw isSystemError(error, "ENOENT") ? folderIsGone(error) : error;
  });
  const git = await readGitFacts(cwd);
  const root = git?.root ?? real;
  const paths = [...new Set([root, real])].map(pathIdentity);
  return {
    cwd: real,
    root,
    name: basename(root) || root,
    branch: git?.branch ?? null,
    git,
    folders: git === undefined ? [] : [folderIdentity(git.commonFolder), ...paths],
  };
}

/** The projects that the folders of a place lead to. */
export type KnownFolders = ReadonlyMap<string, Project>;

/** Returns the project of a place if the store has seen it, and remembers nothing. */
export async function findProject(
  projects: Projects,
  place: Place,
  known?: KnownFolders,
): Promise<Project | undefined> {
  const found = known ?? (await projects.findEach(place.folders));
  const project = found.get(place.folders[0] ?? "");
  if (await isStillThere(place, project)) return project;
  const { identities } = await listIdentities(place);
  return projects.known([...identities, ...listOutgrown(place, found)]);
}

/** Returns the project of a place and remembers everything that it is known by, and was before it was a repository. */
export async function recogniseProject(
  projects: Projects,
  place: Place,
  known?: KnownFolders,
): Promise<Project> {
  const found = known ?? (await projects.findEach(place.folders));
  const outgrown = listOutgrown(place, found);
  const project = found.get(place.folders[0] ?? "");
  if (project !== undefined && outgrown.length === 0 && (await isStillThere(place, project))) return project;
  const { identities, name } = await listIdentities(place);
  return projects.recognise({ identities: [...identities, ...outgrown], name });
}

/**
 * Returns what the top of a repository and the folder at hand were known by before there was a repository, which
 * `recogniseProject` makes one project with it.
 *
 * Only a project that is still known by just this folder counts: it has then moved nowhere and belongs to no other
 * repository.
 */
export function listOutgrown({ folders }: Place, known: KnownFolders): readonly string[] {
  return folders.slice(1).filter((path) => known.get(path)?.id === path);
}

/** The first commit must still be there: another repository may have taken the place of the one that was known. */
async function isStillThere({ git }: Place, project: Project | undefined): Promise<boolean> {
  if (git === undefined || project === undefined || !project.id.startsWith(firstCommit)) return false;
  return hasCommit(git, project.id.slice(firstCommit.length));
}

/** Gathers everything that a place has to be known by: its first commit, else its remote, else its git folder or path. */
export async function listIdentities(place: Place): Promise<Sighting> {
  const { git, root, name } = place;
  if (git === undefined) return { identities: [pathIdentity(root)], name };
  const folder = folderIdentity(git.commonFolder);
  // The oldest commit of a shallow clone is not the project's first.
  const roots = git.isShallow ? [] : await readRootCommits(git);
  const remote = await readRemote(git);
  const strong = [
    ...roots.map((commit) => `${firstCommit}${commit}`),
    ...(remote === undefined ? [] : [`${clonedFrom}${remote}`]),
  ];
  return { identities: [...strong, folder], name };
}

/** Returns what a repository is known by that has no commit yet: its git folder. */
export function folderIdentity(commonFolder: string): string {
  return `folder:${commonFolder}`;
}

/** Returns what a folder outside git is known by. */
export function pathIdentity(path: string): string {
  return `path:${path}`;
}
