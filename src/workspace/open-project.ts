import type { GitFacts } from "../git/git-facts.ts";
import { AppError } from "../lib/app-error.ts";
import type { Project } from "../sessions/project.ts";
import type { Store } from "../storage/open-store.ts";
import { chooseStore, type StoreChoice } from "./choose-store.ts";
import {
  findProject,
  type KnownFolders,
  listOutgrown,
  locatePlace,
  recogniseProject,
} from "./recognise-project.ts";

/** Where a surface was called: nothing below it looks at the process itself. */
export interface Surroundings extends StoreChoice {
  readonly cwd: string;
}

/** A store, and the project that the surroundings belong to. */
export interface OpenProject extends AsyncDisposable {
  readonly store: Store;
  /** Undefined only when it was opened for reading and the store has never seen the project. */
  readonly project: Project | undefined;
  readonly name: string;
  readonly root: string;
  readonly branch: string | null;
  /** Undefined outside a repository. */
  readonly git: GitFacts | undefined;
  /** The folder of what Carryon keeps for this user. */
  readonly home: string;
}

/** A project that is in the store. */
export type WritableProject = OpenProject & { readonly project: Project };

/** Opens the store and finds out which project this is; a project that is opened for writing is remembered. */
export async function openProject(surroundings: Surroundings, access: "read"): Promise<OpenProject>;
export async function openProject(surroundings: Surroundings, access: "write"): Promise<WritableProject>;
export async function openProject(
  surroundings: Surroundings,
  access: "read" | "write",
): Promise<OpenProject> {
  const place = await locatePlace(surroundings.cwd);
  const site = await chooseStore(surroundings);
  const store = await (access === "write" ? site.open() : site.openForReading());
  try {
    const known = await store.projects.findEach(place.folders);
    const { name, root, branch, git } = place;
    const here = { store, name, root, branch, git, home: surroundings.home };
    const close = { [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    const project = await (access === "read" ? find(store, known) : remember(store, known));
    return { ...here, ...close, project };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }

  async function find({ projects }: Store, known: KnownFolders): Promise<Project | undefined> {
    if (listOutgrown(place, known).length === 0) return findProject(projects, place, known);
    await joinOutgrown();
    return findProject(projects, place);
  }

  async function remember({ projects }: Store, known?: KnownFolders): Promise<Project> {
    const project = await recogniseProject(projects, place, known);
    // Trust and approvals are of this machine, and know projects as its own store does.
    if (site.file !== undefined)
      await (await import("./follow-projects.ts")).followProjects(surroundings.home, projects);
    return project;
  }

  /** A folder that became a repository is remembered as soon as it is seen: by the next look it may have moved. */
  async function joinOutgrown(): Promise<void> {
    try {
      const writable = await site.open();
      await remember(writable).finally(() => writable[Symbol.asyncDispose]());
    } catch (error) {
      // What can be read is read all the same, and the next command tries again.
      if (!(error instanceof AppError)) throw error;
    }
  }
}
